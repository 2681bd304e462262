/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import io.github.dynamodblock.samples.scheduledjobs.journal.Journal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Ties a node to the process that started it: takes orders from the standard input, and
 * ends the node when that ends, so that no node outlives the quick start however it ends.
 */
@Component
@ConditionalOnBooleanProperty("quickstart.supervised")
public class Supervision {

	/** The order to make the next report a long one. */
	public static final String LONG_REPORT = "long-report";

	private static final Logger logger = LoggerFactory.getLogger(Supervision.class);

	private final Journal journal;

	private final NightlyReport report;

	Supervision(Journal journal, NightlyReport report) {
		this.journal = journal;
		this.report = report;
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		Thread thread = new Thread(this::takeOrders, "supervision");
		thread.setDaemon(true);
		thread.start();
		this.journal.ready();
	}

	private void takeOrders() {
		try (BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
			for (String order = orders.readLine(); order != null; order = orders.readLine()) {
				if (order.equals(LONG_REPORT)) {
					this.report.expectLongReport();
				}
			}
		}
		catch (IOException ex) {
			logger.error("The standard input cannot be read; the node ends", ex);
		}
		System.exit(0);
	}

}

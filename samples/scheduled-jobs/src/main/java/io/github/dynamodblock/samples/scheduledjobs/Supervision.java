/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import io.github.dynamodblock.samples.scheduledjobs.journal.Journal;
import io.github.dynamodblock.samples.support.ParentProcess;

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

	private final Journal journal;

	private final NightlyReport report;

	Supervision(Journal journal, NightlyReport report) {
		this.journal = journal;
		this.report = report;
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() {
		ParentProcess.obey((order) -> {
			if (order.equals(LONG_REPORT)) {
				this.report.expectLongReport();
			}
		});
		this.journal.ready();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A job that takes less time than the clocks of the nodes differ.
 */
@Component
public class Outbox {

	private final BackOffice backOffice;

	Outbox(BackOffice backOffice) {
		this.backOffice = backOffice;
	}

	/**
	 * Sends the messages that wait.
	 * @throws InterruptedException if the application stops meanwhile
	 */
	@Scheduled(cron = "*/2 * * * * *")
	@ScheduledLock(name = "outbox")
	public void send() throws InterruptedException {
		this.backOffice.sendMessages();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.samples.scheduledjobs.journal.Journal;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.OnBusy;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * A job that every node schedules and one node does. Nightly in earnest, each second
 * here, so that there is something to see.
 */
@Component
public class NightlyReport {

	/** The name of the job's lock. */
	public static final String LOCK = "nightly-report";

	/** The time between two attempts of one node. */
	public static final Duration TICK = Duration.ofSeconds(1);

	private static final Duration LONG_RUN = Duration.ofSeconds(20);

	private static final Duration SHORT_RUN = Duration.ofMillis(200);

	private final Journal journal;

	private final CountDownLatch stopping = new CountDownLatch(1);

	private volatile Instant longUntil = Instant.MIN;

	NightlyReport(Journal journal) {
		this.journal = journal;
	}

	/**
	 * Makes the report, unless another node is at it. The lock is held for most of a
	 * second, so that a node whose second begins a little later finds it done.
	 * @throws InterruptedException if the thread is interrupted
	 */
	@Scheduled(fixedRate = 1, timeUnit = TimeUnit.SECONDS)
	@DistributedLock(name = LOCK, onBusy = OnBusy.SKIP, holdAtLeast = "900ms")
	public void make() throws InterruptedException {
		try (Journal.Entry entry = this.journal.begin(LOCK)) {
			Duration work = Instant.now().isBefore(this.longUntil) ? LONG_RUN : SHORT_RUN;
			// A real report would look now and then whether it is to stop.
			this.stopping.await(work.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Ends a run in progress. Spring waits for it before it closes the lock client, but
	 * not for ever.
	 */
	@EventListener(ContextClosedEvent.class)
	void stop() {
		this.stopping.countDown();
	}

	/**
	 * From now on the report is a long one, until it had the time to be made.
	 */
	void expectLongReport() {
		this.longUntil = Instant.now().plus(LONG_RUN);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.store.TableSchema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * Creates or checks the table once, and polls it until it is ready. The SDK's waiters do
 * not fit: they await {@code ACTIVE} alone, also for a table that is missing or cannot
 * become active, and know nothing of time to live.
 */
final class TableSetup {

	private static final Logger logger = LoggerFactory.getLogger(TableSetup.class);

	private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

	private final TableSettings settings;

	private final TableCalls calls;

	private final TableRules rules;

	private final PollClock clock;

	private final long begun;

	/** Each pause is longer: a table is ready at once, or takes a while. */
	private long nextPause = FIRST_PAUSE;

	TableSetup(TableSettings settings, TableCalls calls, PollClock clock) {
		this.settings = settings;
		this.calls = calls;
		this.rules = new TableRules(settings);
		this.clock = clock;
		this.begun = clock.nanos();
	}

	/** Creates the table if it is missing; returns whether this call created it. */
	boolean createIfMissing() {
		boolean created = false;
		boolean isNew = false;
		TableDescription table = this.calls.find();
		while (table == null || !this.rules.isUsable(table)) {
			isNew |= table == null || this.rules.isNew(table, this.clock.timeOfDay());
			if (table == null) {
				created |= this.calls.create(this.settings);
			}
			TableDescription last = table;
			pause(() -> this.rules.notActiveInTime(last));
			table = this.calls.find();
		}
		this.rules.check(table);
		if (isNew || this.rules.isNew(table, this.clock.timeOfDay())) {
			enableTimeToLive();
		}
		else {
			checkTimeToLive(table);
		}
		if (created) {
			logger.info("Created the lock table '{}'", schema().tableName());
		}
		return created;
	}

	void check() {
		TableDescription table = this.calls.get();
		while (!this.rules.isUsable(table)) {
			TableDescription last = table;
			pause(() -> this.rules.notActiveInTime(last));
			table = this.calls.get();
		}
		this.rules.check(table);
		checkTimeToLive(table);
	}

	/**
	 * Every process that reads a new table does this, since the one that created it may
	 * have crashed before.
	 */
	private void enableTimeToLive() {
		if (!this.settings.timeToLive()) {
			return;
		}
		while (!this.rules.isOn(this.calls.timeToLive()) && !this.calls.enableTimeToLive()) {
			pause(this.rules::timeToLiveNotOnInTime);
		}
	}

	private void checkTimeToLive(TableDescription table) {
		if (!this.settings.timeToLive() || this.rules.isOn(this.calls.timeToLive())) {
			return;
		}
		if (!this.rules.isNew(table, this.clock.timeOfDay())) {
			logger.warn("Time to live is off for the lock table '{}': the items of unused locks are kept"
					+ " indefinitely. Enable it by: {} - or, if that is intended, use LockTable.withoutTimeToLive()",
					schema().tableName(), schema().enableTimeToLiveCommand());
		}
	}

	private void pause(Supplier<LockTableException> ended) {
		long left = this.settings.waitAtMost().toNanos() - (this.clock.nanos() - this.begun);
		if (left <= 0) {
			throw ended.get();
		}
		try {
			this.clock.pause(Math.min(this.nextPause, left));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockStoreException("Interrupted while waiting until the lock table '" + schema().tableName()
					+ "' is ready. It may become ready later", ex);
		}
		this.nextPause = Math.min(this.nextPause * 3 / 2, LONGEST_PAUSE);
	}

	private TableSchema schema() {
		return this.settings.schema();
	}

	/** The time by which a table is polled. */
	interface PollClock {

		/** The clock of this machine. */
		PollClock SYSTEM = new PollClock() {

			@Override
			public Instant timeOfDay() {
				return Instant.now();
			}

			@Override
			public long nanos() {
				return System.nanoTime();
			}

			@Override
			public void pause(long nanos) throws InterruptedException {
				// The latch is never opened: only an interrupt ends the pause early.
				new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
			}

		};

		Instant timeOfDay();

		/** Monotonic, from an arbitrary origin. */
		long nanos();

		void pause(long nanos) throws InterruptedException;

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.util.function.Supplier;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.store.TableSchema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * One run of creating or checking the table: looks, judges, pauses, looks again.
 */
final class TableSetup {

	private static final Logger logger = LoggerFactory.getLogger(TableSetup.class);

	private final TableSettings settings;

	private final TableCalls calls;

	private final TableRules rules;

	private final PollClock clock;

	private final Patience patience;

	TableSetup(TableSettings settings, TableCalls calls, PollClock clock) {
		this.settings = settings;
		this.calls = calls;
		this.rules = new TableRules(settings);
		this.clock = clock;
		this.patience = new Patience(clock, settings.waitAtMost());
	}

	/** Whether this run created the table. */
	boolean createIfMissing() {
		boolean created = false;
		boolean isNew = false;
		TableDescription table = this.calls.find();
		while (table == null || !this.rules.isUsable(table)) {
			isNew |= table == null || this.rules.isNew(table, this.clock.timeOfDay());
			if (table == null) {
				created |= this.calls.create(this.settings);
			}
			TableDescription seen = table;
			pause(() -> this.rules.notActiveInTime(seen));
			table = this.calls.find();
		}
		this.rules.check(table);
		if (isNew || this.rules.isNew(table, this.clock.timeOfDay())) {
			switchTimeToLiveOn();
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
			TableDescription seen = table;
			pause(() -> this.rules.notActiveInTime(seen));
			table = this.calls.get();
		}
		this.rules.check(table);
		checkTimeToLive(table);
	}

	/**
	 * Every process that sees a new table does this, since the one that created it may
	 * have died before.
	 */
	private void switchTimeToLiveOn() {
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
			logger.warn("Time to live is off for the lock table '{}': the items of locks that nobody uses any more stay"
					+ " for ever. Switch it on by: {} - or, if that is wanted, use LockTable.withoutTimeToLive()",
					schema().tableName(), schema().enableTimeToLiveCommand());
		}
	}

	private void pause(Supplier<LockTableException> ended) {
		try {
			if (!this.patience.pause()) {
				throw ended.get();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockStoreException("Interrupted while waiting until the lock table '" + schema().tableName()
					+ "' is ready. It may become ready all the same", ex);
		}
	}

	private TableSchema schema() {
		return this.settings.schema();
	}

}

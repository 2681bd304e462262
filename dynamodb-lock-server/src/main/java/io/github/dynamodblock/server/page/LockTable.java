/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.server.lock.StoredLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Reads which locks are held. Eventually consistent, which is half the price: half a read
 * unit for each 4 KB of items, released ones too. A thousand locks come to about 50 read
 * units a look.
 */
@Component
class LockTable {

	/**
	 * Bounds what one look costs, to about 500 read units. A table that has grown beyond
	 * it is shown in part.
	 */
	static final int MOST_ITEMS = 10_000;

	private static final int PAGE_SIZE = 1000;

	private static final int MOST_SKIPPED = 100;

	private static final Logger logger = LoggerFactory.getLogger(LockTable.class);

	private final LockClient client;

	private final Clock clock;

	private final Set<String> skipped = ConcurrentHashMap.newKeySet();

	LockTable(LockClient client, Clock clock) {
		this.client = client;
		this.clock = clock;
	}

	/**
	 * Reads a namespace by Query, or all of them by Scan.
	 * @param namespace the namespace, or {@code null} for all
	 * @return the locks that are held now
	 */
	Reading read(@Nullable String namespace) {
		ListRequest request = (namespace != null) ? ListRequest.partition(namespace) : ListRequest.all();
		request = request.pageSize(PAGE_SIZE).onNotALock(this::skip);
		try (Stream<LockRecord> items = this.client.list(request)) {
			List<LockRecord> read = items.limit(MOST_ITEMS + 1).toList();
			Instant now = this.clock.instant();
			List<ListedLock> held = read.stream()
				.limit(MOST_ITEMS)
				.map((item) -> StoredLock.of(item, now))
				.flatMap(Optional::stream)
				.filter((lock) -> !lock.isOver(now))
				.map(ListedLock::of)
				.sorted(ListedLock.BY_NAME)
				.toList();
			return new Reading(namespace, held, read.size() <= MOST_ITEMS);
		}
	}

	/** The table is read each second: an item that is not a lock is logged once. */
	private void skip(LockTableException notALock) {
		String message = String.valueOf(notALock.getMessage());
		if (this.skipped.size() < MOST_SKIPPED && this.skipped.add(message)) {
			logger.warn("The live list skips an item that is not a lock: {}", message);
		}
	}

	/**
	 * What was read.
	 *
	 * @param namespace whose locks, or {@code null} for all
	 * @param locks the locks that are held, by name
	 * @param complete whether everything was read
	 */
	record Reading(@Nullable String namespace, List<ListedLock> locks, boolean complete) {

		/**
		 * Whether the reading covers a namespace. A part of the table covers none.
		 * @param wanted the namespace, or {@code null} for all
		 */
		boolean covers(@Nullable String wanted) {
			return (this.namespace == null && this.complete) || Objects.equals(this.namespace, wanted);
		}

		/**
		 * The locks of one namespace or all.
		 * @param wanted the namespace, or {@code null} for all
		 * @param most how many are shown
		 */
		Shown show(@Nullable String wanted, int most) {
			List<ListedLock> all = (wanted == null) ? this.locks
					: this.locks.stream().filter((lock) -> lock.namespace().equals(wanted)).toList();
			int shown = Math.min(most, all.size());
			return new Shown(all.subList(0, shown), all.size() - shown, this.complete);
		}

	}

	/**
	 * What a reader of the list sees.
	 *
	 * @param locks the locks that are shown, by name
	 * @param leftOut how many more are held than are shown, of those that were read
	 * @param complete whether the whole table was read
	 */
	record Shown(List<ListedLock> locks, int leftOut, boolean complete) {

		Shown {
			locks = List.copyOf(locks);
		}

	}

}

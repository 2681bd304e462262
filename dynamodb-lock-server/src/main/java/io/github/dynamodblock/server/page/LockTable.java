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
 * Reads which locks are held. Reads are eventually consistent, which halves their cost:
 * half a read unit for each 4 KB of items, including released ones. Reading a thousand
 * locks costs about 50 read units.
 */
@Component
class LockTable {

	/**
	 * Limits the cost of one poll to about 500 read units. Of a larger table, only a part
	 * is shown.
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
	 * Reads one namespace with Query, or all namespaces with Scan.
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

	/**
	 * Logs an item that is not a lock only once, because the table is read every second.
	 */
	private void skip(LockTableException notALock) {
		String message = String.valueOf(notALock.getMessage());
		if (this.skipped.size() < MOST_SKIPPED && this.skipped.add(message)) {
			logger.warn("The live list skips an item that is not a lock: {}", message);
		}
	}

	/**
	 * The result of a read.
	 *
	 * @param namespace the namespace that was read, or {@code null} for all
	 * @param locks the held locks, ordered by name
	 * @param complete whether all of its items were read
	 */
	record Reading(@Nullable String namespace, List<ListedLock> locks, boolean complete) {

		/**
		 * Returns whether this result is sufficient for a namespace. A partial read of
		 * the whole table is not sufficient for any single namespace.
		 * @param wanted the namespace, or {@code null} for all
		 */
		boolean covers(@Nullable String wanted) {
			return (this.namespace == null && this.complete) || Objects.equals(this.namespace, wanted);
		}

		/**
		 * Returns the locks of one namespace, or of all.
		 * @param wanted the namespace, or {@code null} for all
		 * @param most the maximum number of locks to show
		 */
		Shown show(@Nullable String wanted, int most) {
			List<ListedLock> all = (wanted == null) ? this.locks
					: this.locks.stream().filter((lock) -> lock.namespace().equals(wanted)).toList();
			int shown = Math.min(most, all.size());
			return new Shown(all.subList(0, shown), all.size() - shown, this.complete);
		}

	}

	/**
	 * What a watcher sees.
	 *
	 * @param locks the locks that are shown, ordered by name
	 * @param leftOut how many held locks were read but are not shown
	 * @param complete whether all items were read
	 */
	record Shown(List<ListedLock> locks, int leftOut, boolean complete) {

		Shown {
			locks = List.copyOf(locks);
		}

	}

}

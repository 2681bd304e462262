/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.github.dynamodblock.benchmarks.LockingClient.Library;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A holder that is paused for longer than its lease, and then releases the lock that
 * another client has meanwhile acquired.
 */
final class LateRelease {

	private static final Duration HOLDERS_LEASE = Duration.ofSeconds(2);

	/** Long enough that no heartbeat changes the item while it is watched. */
	private static final Duration OWNERS_LEASE = Duration.ofSeconds(40);

	private static final Duration WAIT = Duration.ofSeconds(30);

	private static final String KEY = "late";

	private LateRelease() {
	}

	/**
	 * Releases too late, and compares the next owner's item before and after.
	 * @param database where the table is
	 * @param library whose lock it is
	 * @param table the name of a table without other items
	 * @return {@link Measure#NEITHER}, {@link Measure#CHANGED} or {@link Measure#FREED}
	 * @throws InterruptedException if this thread is interrupted
	 */
	static double effect(DatabaseProcess database, Library library, String table) throws InterruptedException {
		CrashingCalls calls = new CrashingCalls();
		try (LockingClient holder = library.open(database, table, HOLDERS_LEASE, calls);
				LockingClient owner = library.open(database, table, OWNERS_LEASE);
				LockingClient other = library.open(database, table, OWNERS_LEASE)) {
			Runnable release = holder.mustAcquire(KEY, Duration.ZERO);
			calls.crash();
			owner.mustAcquire(KEY, WAIT);
			calls.resume();
			Set<Map<String, AttributeValue>> before = items(database, table);
			try {
				release.run();
			}
			catch (RuntimeException ignored) {
				// To refuse a late release is right; what counts is the item.
			}
			boolean changed = !items(database, table).equals(before);
			boolean freed = other.acquire(KEY, Duration.ZERO).isPresent();
			return freed ? Measure.FREED : changed ? Measure.CHANGED : Measure.NEITHER;
		}
	}

	private static Set<Map<String, AttributeValue>> items(DatabaseProcess database, String table) {
		try (DynamoDbClient dynamoDb = database.newFastClient()) {
			return new HashSet<>(dynamoDb.scan((scan) -> scan.tableName(table).consistentRead(true)).items());
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.LockClient;

/**
 * How many locks a client holds and waits for, by name. Counted once a second at most, so
 * that a reading of many gauges does not count all locks for each of them. Thread-safe.
 */
final class LockCounts {

	private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final LockClient client;

	private volatile Counts last;

	LockCounts(LockClient client) {
		this.client = client;
		this.last = new Counts(System.nanoTime() - FRESH_NANOS, Map.of(), Map.of());
	}

	long held(String name) {
		return fresh().held().getOrDefault(name, 0L);
	}

	long waiting(String name) {
		return fresh().waiting().getOrDefault(name, 0L);
	}

	private Counts fresh() {
		Counts counts = this.last;
		long now = System.nanoTime();
		if (now - counts.countedAt() >= FRESH_NANOS) {
			counts = new Counts(now,
					byName(this.client.held().stream().map((lock) -> LockNames.orUnnamed(lock.name()))),
					byName(this.client.waiting()
						.stream()
						.map((waiting) -> LockNames.orUnnamed(waiting.request().name()))));
			this.last = counts;
		}
		return counts;
	}

	private static Map<String, Long> byName(Stream<String> names) {
		return names.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
	}

	/**
	 * One count.
	 *
	 * @param countedAt when, by the system's nanosecond timer
	 * @param held by name
	 * @param waiting by name
	 */
	private record Counts(long countedAt, Map<String, Long> held, Map<String, Long> waiting) {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.interop;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.provider.Arguments;

import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * How a table is laid out and used by both kinds of clients.
 *
 * @param sortKey whether its locks have a sort key
 * @param deleteOnRelease whether a release deletes the lock's item
 */
record InteropCase(boolean sortKey, boolean deleteOnRelease) {

	static List<InteropCase> all() {
		return List.of(new InteropCase(false, false), new InteropCase(false, true), new InteropCase(true, false),
				new InteropCase(true, true));
	}

	/** Every case once for each kind of client that comes first in it. */
	static Stream<Arguments> withEachKindFirst() {
		return withEachKindFirst(all());
	}

	/** The cases that keep the item, once for each kind of client that comes first. */
	static Stream<Arguments> keepingWithEachKindFirst() {
		return withEachKindFirst(all().stream().filter((each) -> !each.deleteOnRelease()).toList());
	}

	private static Stream<Arguments> withEachKindFirst(List<InteropCase> cases) {
		return cases.stream()
			.flatMap((each) -> Arrays.stream(ClientKind.values()).map((first) -> arguments(each, first)));
	}

	/**
	 * How long a case goes on: five seconds, unless the system property
	 * {@code interop.duration} says otherwise.
	 */
	static Duration duration() {
		return Duration.parse(System.getProperty("interop.duration", "PT5S"));
	}

	@Override
	public String toString() {
		return (this.sortKey ? "with" : "without") + " a sort key, " + (this.deleteOnRelease ? "deleted" : "kept")
				+ " on release";
	}

}

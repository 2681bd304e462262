/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;

/**
 * Something that a node did. Nodes write events to their standard output, one line each.
 *
 * @param time when it happened, in microseconds. All nodes run on one machine and read
 * one clock, so that times of different nodes compare.
 * @param node the node's name
 * @param what what it did, in one word
 * @param subject what it did it to, for example a lock's key; empty for nothing
 * @param numbers further values, the fencing token first
 */
public record Event(Instant time, String node, String what, String subject, List<Long> numbers) {

	/** The node is up. The subject is its address, if it has one. */
	public static final String READY = "READY";

	/** The node's process has ended. The first number is its exit status. */
	public static final String ENDED = "ENDED";

	/** Distinguishes events from the other lines that a node writes. */
	private static final String MARK = "@event";

	private static final String NOTHING = "-";

	/**
	 * Creates an event. Its words contain no white space, which separates the parts of a
	 * line.
	 */
	public Event {
		numbers = List.copyOf(numbers);
	}

	/**
	 * Reads an event.
	 * @param line what {@link #toLine()} returned
	 * @throws RuntimeException if the line is not an event
	 */
	public static Event parse(String line) {
		String[] parts = line.split(" ", -1);
		Instant time = Instant.EPOCH.plus(Long.parseLong(parts[1]), ChronoUnit.MICROS);
		return new Event(time, parts[2], parts[3], parts[4].equals(NOTHING) ? "" : parts[4],
				Arrays.stream(parts).skip(5).map(Long::valueOf).toList());
	}

	/**
	 * Returns whether a line of a node's output is an event.
	 * @return {@code true} if {@link #parse} is meant to read it
	 */
	public static boolean isEvent(String line) {
		return line.startsWith(MARK);
	}

	/**
	 * Returns the event as one line, without a line break.
	 * @return what {@link #parse} reads
	 */
	public String toLine() {
		StringBuilder line = new StringBuilder(
				String.join(" ", MARK, Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, this.time)), this.node,
						this.what, this.subject.isEmpty() ? NOTHING : this.subject));
		this.numbers.forEach((number) -> line.append(' ').append(number));
		return line.toString();
	}

	/**
	 * Returns whether the node did this.
	 * @param something what it may have done
	 * @return whether it did
	 */
	public boolean is(String something) {
		return this.what.equals(something);
	}

	/**
	 * Returns one of the numbers.
	 * @param index its index
	 * @return the number, or 0 if there are not so many
	 */
	public long number(int index) {
		return (index < this.numbers.size()) ? this.numbers.get(index) : 0;
	}

	/**
	 * Returns the fencing token.
	 * @return the first number, or 0 if there is none
	 */
	public long token() {
		return number(0);
	}

}

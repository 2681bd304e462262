/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.journal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One line of a node's journal.
 *
 * @param time when it happened, in microseconds. All nodes run on one machine and read
 * one clock, so times of different nodes compare.
 * @param node which node
 * @param what what it did
 * @param key the lock's key; empty for {@link What#READY}
 * @param token the fencing token; 0 where no lock is held
 */
public record Event(Instant time, String node, What what, String key, long token) {

	/** Marks an event among the other lines that a node writes. */
	private static final String MARK = "@journal";

	private static final String NOTHING = "-";

	/**
	 * @throws IllegalArgumentException if the node or the key has white space, which
	 * separates the parts of a line
	 */
	public Event {
		requireOneWord("node", node);
		requireOneWord("key", key);
	}

	/**
	 * Whether a line of a node's output is an event.
	 * @param line the line
	 * @return {@code true} if {@link #parse} is meant to read it
	 */
	public static boolean isEvent(String line) {
		return line.startsWith(MARK);
	}

	/**
	 * Reads an event.
	 * @param line what {@link #toLine()} gave
	 * @return the event
	 * @throws IllegalArgumentException if the line is not an event
	 */
	public static Event parse(String line) {
		String[] parts = line.split(" ", -1);
		if (parts.length != 6 || !parts[0].equals(MARK)) {
			throw new IllegalArgumentException("Not an event: \"" + line + "\"; expected \"" + MARK
					+ " <microseconds> <node> <what> <key or -> <token>\"");
		}
		try {
			Instant time = Instant.EPOCH.plus(Long.parseLong(parts[1]), ChronoUnit.MICROS);
			String key = parts[4].equals(NOTHING) ? "" : parts[4];
			return new Event(time, parts[2], What.valueOf(parts[3]), key, Long.parseLong(parts[5]));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("Not an event: \"" + line + "\": " + ex.getMessage(), ex);
		}
	}

	/**
	 * The event as one line, without a line break.
	 * @return what {@link #parse} reads
	 */
	public String toLine() {
		return String.join(" ", MARK, Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, this.time)), this.node,
				this.what.name(), this.key.isEmpty() ? NOTHING : this.key, Long.toString(this.token));
	}

	private static void requireOneWord(String name, String value) {
		if (value.chars().anyMatch(Character::isWhitespace)) {
			throw new IllegalArgumentException("The " + name + " of an event is one word, not \"" + value + "\"");
		}
	}

	/**
	 * What a node does.
	 */
	public enum What {

		/** The application is up. */
		READY,

		/** Asks for a lock and waits for it. */
		WAITS,

		/** The wait ended without the lock. */
		GOES_WITHOUT,

		/** The first statement under the lock. */
		BEGINS,

		/** The last statement under the lock. */
		ENDS

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.ledger;

import java.util.regex.Pattern;

/**
 * What a node asks the ledger to write down.
 *
 * @param node the node
 * @param what what the line is about
 * @param token the fencing token of the node's leadership; 0 for {@link What#READY}
 * @param read how many lines the ledger had when the node read it, right before it asked
 * whether it leads; 0 for all but {@link What#WORK}
 * @param detail more about it, in one word; {@code -} for nothing
 */
public record Line(String node, What what, long token, int read, String detail) {

	/** For lines that have nothing more to say. */
	static final String NOTHING = "-";

	private static final Pattern WORD = Pattern.compile("\\S+");

	/**
	 * @throws IllegalArgumentException if the node or the detail is not one word
	 */
	public Line {
		requireOneWord("node", node);
		requireOneWord("detail", detail);
	}

	/**
	 * Reads a line.
	 * @param text what {@link #toText()} gave
	 * @return the line
	 * @throws IllegalArgumentException if the text is not a line
	 */
	public static Line parse(String text) {
		String[] parts = text.split(" ", -1);
		try {
			if (parts.length == 5) {
				return new Line(parts[0], What.valueOf(parts[1]), Long.parseLong(parts[2]), Integer.parseInt(parts[3]),
						parts[4]);
			}
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("Not a line: \"" + text + "\": " + ex.getMessage(), ex);
		}
		throw new IllegalArgumentException(
				"Not a line: \"" + text + "\"; expected \"<node> <what> <token> <read> <detail>\"");
	}

	/**
	 * The line as text, without a line break.
	 * @return what {@link #parse} reads
	 */
	public String toText() {
		return String.join(" ", this.node, this.what.name(), Long.toString(this.token), Integer.toString(this.read),
				this.detail);
	}

	private static void requireOneWord(String name, String value) {
		if (!WORD.matcher(value).matches()) {
			throw new IllegalArgumentException("The " + name + " of a line is one word, not \"" + value + "\"");
		}
	}

	/**
	 * What a line is about.
	 */
	public enum What {

		/** The node is up. */
		READY,

		/** The election has told the node that it leads. */
		GRANTED,

		/** The node works as the leader. */
		WORK,

		/** The election has told the node that it does not lead any more. */
		REVOKED

	}

}

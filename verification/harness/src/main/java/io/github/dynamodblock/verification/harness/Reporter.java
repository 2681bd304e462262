/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Reports the events of one node.
 *
 * @param node the node's name
 * @param receiver receives the events, on the threads that report them
 */
public record Reporter(String node, Consumer<Event> receiver) {

	/** The system property that holds the node's name. */
	static final String NODE = "demo.node";

	/**
	 * Returns the reporter of this process. An event has left the process when
	 * {@link #report} returns, so that it survives a {@code kill -9}.
	 */
	public static Reporter toParent() {
		String node = Objects.requireNonNull(System.getProperty(NODE), "This process was not started by a demo");
		return new Reporter(node, (event) -> {
			System.out.println(event.toLine());
			System.out.flush();
		});
	}

	/**
	 * Reports that something happened now.
	 * @param what what the node did
	 * @param subject what it did it to; empty for nothing
	 * @param numbers further values, the fencing token first
	 */
	public void report(String what, String subject, long... numbers) {
		report(Instant.now(), what, subject, numbers);
	}

	/**
	 * Reports that something happened.
	 * @param what what the node did
	 * @param subject what it did it to; empty for nothing
	 * @param numbers further values, the fencing token first
	 */
	public void report(Instant time, String what, String subject, long... numbers) {
		this.receiver.accept(new Event(time, this.node, what, subject, Arrays.stream(numbers).boxed().toList()));
	}

}

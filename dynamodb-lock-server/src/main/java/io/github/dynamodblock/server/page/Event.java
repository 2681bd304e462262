/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.nio.charset.StandardCharsets;

/**
 * A server-sent event.
 *
 * @param news its content; watchers that already have the same content do not get the
 * event
 * @param bytes its encoded form
 */
@SuppressWarnings("ArrayRecordComponent")
record Event(Object news, byte[] bytes) {

	/** A comment, which readers skip. */
	static final byte[] KEEP_ALIVE = ":\n\n".getBytes(StandardCharsets.UTF_8);

	/**
	 * Creates an event.
	 * @param news its content
	 * @param name its name
	 * @param data its content as JSON
	 */
	static Event of(Object news, String name, String data) {
		return new Event(news, ("event: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
	}

}

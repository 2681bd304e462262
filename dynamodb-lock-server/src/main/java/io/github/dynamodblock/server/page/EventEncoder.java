/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * Writes news as server-sent events.
 */
@Component
class EventEncoder {

	/** A comment, which readers skip. */
	static final byte[] KEEP_ALIVE = ":\n\n".getBytes(StandardCharsets.UTF_8);

	private final JsonMapper json;

	private final Clock clock;

	EventEncoder(JsonMapper json, Clock clock) {
		this.json = json;
		this.clock = clock;
	}

	byte[] encode(News news) {
		if (news instanceof News.Locks list) {
			return event("locks", new Locks(this.clock.millis(), list.locks(), list.leftOut(), list.complete()));
		}
		return event("unavailable",
				Map.of("message", "The lock table cannot be read at present; the next look follows by itself"));
	}

	private byte[] event(String name, Object data) {
		return ("event: " + name + "\ndata: " + this.json.writeValueAsString(data) + "\n\n")
			.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The data of the event, with the time of the service's clock: a reader's clock may
	 * be wrong.
	 */
	private record Locks(long nowMillis, List<ListedLock> locks, int leftOut, boolean complete) {

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * One server of several databases, which runs while there is one of them. Each database
 * has its own access key, by which DynamoDB Local keeps their tables apart. Thread-safe.
 */
final class SharedServer {

	/** The one that all application contexts of this JVM use. */
	static final SharedServer INSTANCE = new SharedServer();

	/**
	 * DynamoDB Local keeps threads for each access key: those of empty ones are reused.
	 */
	private final Deque<String> unused = new ArrayDeque<>();

	private @Nullable LoopbackServer server;

	private int accessKeys;

	private int databases;

	/** Starts the server if it does not run. Ends with {@link #leave}. */
	synchronized LoopbackServer join() {
		LoopbackServer running = this.server;
		if (running == null) {
			running = LoopbackServer.start(0, null, false);
			this.server = running;
			this.unused.clear();
		}
		this.databases++;
		return running;
	}

	/** Returns the access key of a database without tables. */
	synchronized String accessKey() {
		String key = this.unused.poll();
		// DynamoDB Local allows no punctuation.
		return (key != null) ? key : "local" + ++this.accessKeys;
	}

	/**
	 * Stops the server if it has no other database.
	 * @param emptied the access key of the database, or {@code null} if it has tables
	 */
	synchronized void leave(@Nullable String emptied) {
		this.databases--;
		if (this.databases == 0 && this.server != null) {
			this.server.close();
			this.server = null;
		}
		else if (emptied != null) {
			this.unused.add(emptied);
		}
	}

}

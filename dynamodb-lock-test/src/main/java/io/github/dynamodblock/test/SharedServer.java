/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * One server with several databases, which runs while there is at least one of them. Each
 * database has its own access key, by which DynamoDB Local separates their tables.
 * Thread-safe.
 */
final class SharedServer {

	/** The server that all application contexts of this JVM use. */
	static final SharedServer INSTANCE = new SharedServer();

	/**
	 * The access keys of empty databases. They are reused, because DynamoDB Local keeps
	 * threads for each key.
	 */
	private final Deque<String> unused = new ArrayDeque<>();

	private @Nullable LoopbackServer server;

	private int accessKeys;

	private int databases;

	/** Starts the server if it is not running. To be followed by {@link #leave}. */
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
		// DynamoDB Local does not allow punctuation.
		return (key != null) ? key : "local" + ++this.accessKeys;
	}

	/**
	 * Removes a database, and stops the server if it was the last one.
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

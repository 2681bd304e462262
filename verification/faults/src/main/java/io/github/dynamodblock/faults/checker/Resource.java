/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.io.Serializable;
import java.util.function.LongSupplier;

/**
 * What one lock guards: two counters, of which one refuses stale tokens. Thread-safe.
 */
public final class Resource {

	private final int lock;

	private final History history;

	private final LongSupplier clock;

	private long highestToken = Long.MIN_VALUE;

	private long fenced;

	private long plain;

	/**
	 * A resource whose counters are zero.
	 * @param lock the lock that guards it
	 * @param history told of every write
	 * @param clock nanoseconds
	 */
	public Resource(int lock, History history, LongSupplier clock) {
		this.lock = lock;
		this.history = history;
		this.clock = clock;
	}

	/**
	 * Announces an owner: no write of an earlier one is accepted any more.
	 * @param token the owner's token
	 * @return whether there was no later owner
	 */
	public synchronized boolean claim(long token) {
		this.highestToken = Math.max(this.highestToken, token);
		return token == this.highestToken;
	}

	public synchronized Values read() {
		return new Values(this.fenced, this.plain, this.clock.getAsLong());
	}

	/**
	 * Writes the successor of the value that was read, unless the token is stale.
	 * @param grant under which grant
	 * @param token its token
	 * @param read what was read
	 * @return whether the write was accepted
	 */
	public synchronized boolean incrementFenced(String grant, long token, Values read) {
		boolean accepted = token >= this.highestToken;
		if (accepted) {
			this.highestToken = token;
			long before = this.fenced;
			this.fenced = read.fenced() + 1;
			this.history.fencedUpdate(this.lock, token,
					new Update(grant, read.at(), this.clock.getAsLong(), read.fenced(), before, false));
		}
		else {
			this.history.count("fenced writes refused");
		}
		return accepted;
	}

	/**
	 * Writes the successor of the value that was read, whoever asks.
	 * @param grant under which grant
	 * @param read what was read
	 * @param looked whether the writer looked right before whether it held the lock
	 */
	public synchronized void incrementPlain(String grant, Values read, boolean looked) {
		long before = this.plain;
		this.plain = read.plain() + 1;
		this.history.plainUpdate(this.lock,
				new Update(grant, read.at(), this.clock.getAsLong(), read.plain(), before, looked));
	}

	/**
	 * What was read.
	 *
	 * @param fenced the counter that refuses stale tokens
	 * @param plain the other
	 * @param at when
	 */
	public record Values(long fenced, long plain, long at) implements Serializable {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.Arrays;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * What the locks guard: two counters for each lock, of which one refuses stale tokens.
 * Thread-safe.
 */
public final class Resources implements RemoteResources {

	private final History history;

	private final LongSupplier clock;

	private final long[] highestTokens;

	private final long[] fenced;

	private final long[] plain;

	/**
	 * Resources whose counters are zero.
	 * @param locks how many locks there are
	 * @param history told of every write
	 * @param clock nanoseconds
	 */
	public Resources(int locks, History history, LongSupplier clock) {
		this.history = history;
		this.clock = clock;
		this.highestTokens = new long[locks];
		Arrays.fill(this.highestTokens, Long.MIN_VALUE);
		this.fenced = new long[locks];
		this.plain = new long[locks];
	}

	@Override
	public synchronized boolean claim(int lock, long token) {
		this.highestTokens[lock] = Math.max(this.highestTokens[lock], token);
		return token == this.highestTokens[lock];
	}

	@Override
	public synchronized Values read(int lock) {
		return new Values(this.fenced[lock], this.plain[lock], this.clock.getAsLong());
	}

	@Override
	public synchronized boolean increment(int lock, String grant, @Nullable Long token, boolean plain, Values read,
			boolean looked) {
		boolean accepted = token != null && incrementFenced(lock, grant, token, read);
		if (plain) {
			long before = this.plain[lock];
			this.plain[lock] = read.plain() + 1;
			this.history.plainUpdate(lock,
					new Update(grant, read.at(), this.clock.getAsLong(), read.plain(), before, looked));
		}
		return accepted;
	}

	private boolean incrementFenced(int lock, String grant, long token, Values read) {
		boolean accepted = token >= this.highestTokens[lock];
		if (accepted) {
			this.highestTokens[lock] = token;
			long before = this.fenced[lock];
			this.fenced[lock] = read.fenced() + 1;
			this.history.fencedUpdate(lock, token,
					new Update(grant, read.at(), this.clock.getAsLong(), read.fenced(), before, false));
		}
		else {
			this.history.count("fenced writes refused");
		}
		return accepted;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.lease.HeldLease;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Notices on time that a lease is expiring or lost, whatever heartbeats do. Thread-safe.
 */
final class LeaseWatch {

	/** How long a thread may take to schedule a check; more is a pause. */
	private static final long PAUSE_NANOS = 10_000_000L;

	private final LeaseState state;

	private final Environment environment;

	private final AtomicReference<Timer.@Nullable Task> next = new AtomicReference<>();

	LeaseWatch(LeaseState state, Environment environment) {
		this.state = state;
		this.environment = environment;
	}

	/**
	 * Checks the lease now, and again when it would be expiring or lost, until it ends.
	 */
	void look() {
		ClockReading now = this.environment.now();
		HeldLease lease = this.state.at(now);
		if (lease.isKept()) {
			long next = lease.changesAt();
			Timer.Task before = this.next
				.getAndSet(this.environment.watch().schedule(next - now.holderNanos(), this::look));
			if (before != null) {
				before.cancel();
			}
			HeldLease present = this.state.get();
			if (!present.isKept()) {
				// Lost a race with end(): cancel this timer.
				end();
			}
			else if (present != lease || hasPausedSince(now)) {
				// The lease has changed, and this may have replaced an earlier check; or
				// a pause of this thread makes this check late.
				look();
			}
		}
	}

	private boolean hasPausedSince(ClockReading now) {
		return this.environment.now().holderNanos() - now.holderNanos() > PAUSE_NANOS;
	}

	/**
	 * Stops the checks of a lease that has ended.
	 */
	void end() {
		Timer.Task task = this.next.get();
		if (task != null) {
			task.cancel();
		}
	}

}

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

	/** What a thread may take to schedule a look; more is a pause. */
	private static final long PAUSE_NANOS = 10_000_000L;

	private final LeaseState state;

	private final Environment environment;

	private final AtomicReference<Timer.@Nullable Task> next = new AtomicReference<>();

	LeaseWatch(LeaseState state, Environment environment) {
		this.state = state;
		this.environment = environment;
	}

	/**
	 * Looks at the lease now, and again when it would be expiring or lost, until it is
	 * not kept any more.
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
				// It ended meanwhile, and whoever ended it did not see this.
				end();
			}
			else if (present != lease || hasPausedSince(now)) {
				// It changed meanwhile, and this may have replaced a sooner look; or this
				// look comes as much too late as the pause was long.
				look();
			}
		}
	}

	private boolean hasPausedSince(ClockReading now) {
		return this.environment.now().holderNanos() - now.holderNanos() > PAUSE_NANOS;
	}

	/**
	 * Stops looking, because the lease is not kept any more.
	 */
	void end() {
		Timer.Task task = this.next.get();
		if (task != null) {
			task.cancel();
		}
	}

}

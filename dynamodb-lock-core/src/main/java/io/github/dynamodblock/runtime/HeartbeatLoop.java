/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.HeartbeatSchedule;
import io.github.dynamodblock.protocol.HeldLease;
import io.github.dynamodblock.protocol.Moment;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one lease by heartbeats, from time to time and on demand, never two at once.
 * Thread-safe.
 */
final class HeartbeatLoop {

	private static final Logger logger = LoggerFactory.getLogger(HeartbeatLoop.class);

	private final LeaseState state;

	private final Environment environment;

	private final Set<Demand> demands = ConcurrentHashMap.newKeySet();

	/**
	 * Who sets this to true sends a heartbeat, and owns the two fields below till then.
	 */
	private final AtomicBoolean underWay = new AtomicBoolean();

	private long sentAt;

	private int unconfirmed;

	private volatile Timer.@Nullable Task next;

	HeartbeatLoop(LeaseState state, Environment environment) {
		this.state = state;
		this.environment = environment;
	}

	void begin() {
		HeldLease lease = this.state.get();
		long delay = HeartbeatSchedule.first(lease.terms(), this.environment.randomness().fraction());
		schedule(Math.min(delay, HeartbeatSchedule.latest(lease, this.environment.now())));
	}

	/**
	 * Ends the heartbeats, because the lease is not kept any more.
	 */
	void end() {
		cancelNext();
		completeDemands(this.state.get());
	}

	/**
	 * Sends a heartbeat now.
	 * @return completed with the lease when a heartbeat that was sent from now on is
	 * confirmed, or when the lease is not kept any more
	 */
	CompletableFuture<HeldLease> demand() {
		Demand demand = new Demand();
		this.demands.add(demand);
		if (this.state.get().isKept()) {
			beat();
		}
		else {
			end();
		}
		return demand.confirmed;
	}

	private void beat() {
		if (this.underWay.compareAndSet(false, true)) {
			cancelNext();
			this.demands.forEach((demand) -> demand.served = true);
			this.environment.heartbeats().send(this::call, this::answered);
		}
	}

	private Step.@Nullable Call call() {
		Moment now = this.environment.now();
		this.sentAt = now.holderNanos();
		HeldLease lease = this.state.at(now);
		if (!lease.seemsMissing()) {
			String version = this.environment.randomness().recordVersionNumber();
			lease = this.state
				.update((kept) -> kept.isKept() ? kept.renewing(version, kept.terms().leaseDuration(), now) : kept);
		}
		if (!lease.isKept()) {
			this.underWay.set(false);
			return null;
		}
		return lease.seemsMissing() ? lease.confirmation(now) : lease.renewal(now);
	}

	private void answered(Answer answer) {
		Moment now = this.environment.now();
		String before = this.state.get().record().recordVersionNumber();
		HeldLease lease = this.state.update((kept) -> kept.answered(answer, now));
		double fraction = this.environment.randomness().fraction();
		if (!lease.isKept()) {
			this.underWay.set(false);
		}
		else if (!lease.record().recordVersionNumber().equals(before)) {
			this.unconfirmed = 0;
			if (answer instanceof Answer.Applied) {
				completeDemands(lease);
			}
			else {
				// An earlier heartbeat was confirmed, not the one that was asked for.
				this.demands.forEach((demand) -> demand.served = false);
			}
			long elapsed = now.holderNanos() - this.sentAt;
			long delay = HeartbeatSchedule.afterSuccess(lease.terms(), fraction) - elapsed;
			goOn(Math.min(delay, HeartbeatSchedule.latest(lease, now)));
		}
		else if (lease.seemsMissing()) {
			goOn(0);
		}
		else {
			this.unconfirmed++;
			int failures = this.unconfirmed;
			goOn(HeartbeatSchedule.afterFailure(failures, lease, now, fraction));
			logger.debug("Heartbeat of lock '{}' was not confirmed ({} in a row): {}", lease.key(), failures, answer);
		}
	}

	/** Lets the next heartbeat begin, in its time or at once if somebody waits for it. */
	private void goOn(long delayNanos) {
		// In this order: a timer that fires at once must find the way free.
		this.underWay.set(false);
		schedule(delayNanos);
		if (this.demands.stream().anyMatch((demand) -> !demand.served)) {
			beat();
		}
	}

	private void completeDemands(HeldLease lease) {
		List<Demand> done = this.demands.stream().filter((demand) -> demand.served || !lease.isKept()).toList();
		done.forEach(this.demands::remove);
		done.forEach((demand) -> demand.confirmed.complete(lease));
	}

	private void schedule(long delayNanos) {
		this.next = this.environment.timer().schedule(delayNanos, this::beat);
	}

	private void cancelNext() {
		Timer.Task task = this.next;
		if (task != null) {
			task.cancel();
		}
	}

	/**
	 * The wish for a heartbeat.
	 */
	private static final class Demand {

		private final CompletableFuture<HeldLease> confirmed = new CompletableFuture<>();

		/** Whether a heartbeat was begun since. */
		private volatile boolean served;

	}

}

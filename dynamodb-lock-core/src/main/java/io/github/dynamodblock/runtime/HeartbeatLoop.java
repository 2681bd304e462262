/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.Heartbeats;
import io.github.dynamodblock.protocol.lease.HeldLease;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCalls;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews one lease by heartbeats, periodically and on demand, never two at once.
 * Thread-safe.
 */
final class HeartbeatLoop implements StoreCalls.Source {

	private static final Logger logger = LoggerFactory.getLogger(HeartbeatLoop.class);

	private final LeaseState state;

	private final ClientState client;

	private final Environment environment;

	/** Whether heartbeats are sent without a demand. */
	private final boolean automatic;

	private final ItemCalls calls;

	private final LeaseEvents events;

	/** First in, first out. */
	private final Queue<Demand> demands = new ConcurrentLinkedQueue<>();

	/** The thread that sets this sends a heartbeat. */
	private final AtomicBoolean underWay = new AtomicBoolean();

	/** Owned by the heartbeat under way. */
	private Heartbeats heartbeats;

	private volatile Timer.@Nullable Task nextDue;

	HeartbeatLoop(LeaseState state, ClientState client, boolean automatic, ItemCalls calls, LeaseEvents events) {
		this.state = state;
		this.client = client;
		this.environment = client.environment();
		this.automatic = automatic;
		this.calls = calls;
		this.events = events;
		this.heartbeats = Heartbeats.granted(state.get(), this.environment.now());
	}

	/** Schedules the first heartbeat. One may be under way by then, on demand. */
	void begin() {
		HeldLease lease = this.state.get();
		ClockReading now = this.environment.now();
		schedule(Heartbeats.firstNanos(lease, now, this.environment.randomness().fraction()));
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
	 * @param request what it is to change
	 * @return completed with the lease when a heartbeat that was sent from now on is
	 * confirmed, or when the lease is not kept any more; with an exception if the
	 * heartbeat is refused for good
	 */
	CompletableFuture<HeldLease> demand(RenewRequest request) {
		Demand demand = new Demand();
		this.state.update((lease) -> lease.isKept()
				? lease.asked(request.leaseDuration().orElse(lease.terms().leaseDuration()), request.change()) : lease);
		this.demands.add(demand);
		if (this.state.get().isKept()) {
			beat(true);
		}
		else {
			end();
		}
		return demand.confirmed;
	}

	/** Sends a heartbeat that is due, or later where the client's rate asks for it. */
	private void due() {
		long delay = reservePlace();
		if (delay > 0) {
			schedule(delay, () -> beat(false));
		}
		else {
			beat(false);
		}
	}

	/** Reserves a place at the client's rate, and returns how long it is until then. */
	private long reservePlace() {
		ClockReading now = this.environment.now();
		return this.client.pace().delay(now, Heartbeats.latestNanos(this.state.get(), now));
	}

	private void beat(boolean onDemand) {
		if (this.underWay.compareAndSet(false, true)) {
			if (onDemand) {
				// Its caller does not wait for the place, but other heartbeats make room.
				reservePlace();
			}
			cancelNext();
			this.demands.forEach((demand) -> demand.served = true);
			this.calls.sendHeartbeat(this.environment.heartbeats(), this,
					(answer) -> Callbacks.deferredDuring(() -> answered(answer)));
		}
	}

	@Override
	public Step.@Nullable Call next() {
		ClockReading now = this.environment.now();
		HeldLease lease = this.state.at(now);
		if (!lease.seemsMissing()) {
			String version = this.environment.randomness().recordVersionNumber();
			lease = this.state.update((kept) -> kept.isKept() ? kept.renewing(version, now) : kept);
		}
		if (!lease.isKept()) {
			this.underWay.set(false);
			return null;
		}
		this.heartbeats = this.heartbeats.sending(now);
		return this.heartbeats.call(lease, now);
	}

	/** A retry comes after other locks' first tries, and last if its call hung. */
	@Override
	public StoreCalls.Priority priority() {
		StoreCalls.Rank retry = this.heartbeats.hung() ? StoreCalls.Rank.LAST : StoreCalls.Rank.SECOND;
		return new StoreCalls.Priority((this.heartbeats.failures() == 0) ? StoreCalls.Rank.FIRST : retry,
				this.state.get().deadline());
	}

	private void answered(Answer answer) {
		ClockReading now = this.environment.now();
		HeldLease before = this.state.get();
		HeldLease lease = this.state.update((kept) -> kept.answered(answer, now));
		if (!lease.isKept()) {
			this.underWay.set(false);
		}
		else if (lease.isRenewedSince(before)) {
			confirmed(lease, answer, now);
		}
		else if (lease.seemsMissing() && answer instanceof Answer.Refused) {
			goOn(0);
		}
		else {
			failed(lease, answer, now);
		}
	}

	private void confirmed(HeldLease lease, Answer answer, ClockReading now) {
		this.heartbeats = this.heartbeats.confirmed(now);
		this.client.observations().wrote(lease.record(), this.heartbeats.sentAt(), now);
		this.events.renewed();
		if (answer instanceof Answer.Applied) {
			completeDemands(lease);
		}
		else {
			// An earlier heartbeat was confirmed, not the one that was asked for.
			this.demands.forEach((demand) -> demand.served = false);
		}
		goOn(nextNanos(lease, now));
	}

	private void failed(HeldLease lease, Answer answer, ClockReading now) {
		this.heartbeats = this.heartbeats.failed(lease, now);
		int failures = this.heartbeats.failures();
		if (answer instanceof Answer.Unknown unknown) {
			this.events.renewalFailed(unknown.cause());
		}
		if (answer instanceof Answer.Failed refused) {
			this.events.renewalFailed(refused.failure());
			refuseDemands(refused.failure());
		}
		goOn(nextNanos(lease, now));
		// Last, so that a log which throws ends no heartbeats.
		logger.debug("Heartbeat of lock '{}' was not confirmed ({} in a row): {}", lease.key(), failures, answer);
	}

	private long nextNanos(HeldLease lease, ClockReading now) {
		return this.heartbeats.nextNanos(lease, now, this.environment.randomness().fraction());
	}

	/** Schedules the next heartbeat, or sends it now if a caller waits for it. */
	private void goOn(long delayNanos) {
		// In this order: a timer may fire at once, and must be able to send.
		this.underWay.set(false);
		schedule(delayNanos);
		if (this.demands.stream().anyMatch((demand) -> !demand.served)) {
			beat(true);
		}
	}

	private void completeDemands(HeldLease lease) {
		take((demand) -> demand.served || !lease.isKept()).forEach((demand) -> demand.confirmed.complete(lease));
	}

	private void refuseDemands(LockException reason) {
		take((demand) -> demand.served).forEach((demand) -> demand.confirmed.completeExceptionally(reason));
	}

	private List<Demand> take(Predicate<Demand> which) {
		List<Demand> taken = this.demands.stream().filter(which).toList();
		taken.forEach(this.demands::remove);
		return taken;
	}

	private void schedule(long delayNanos) {
		if (this.automatic || !this.demands.isEmpty() || this.state.get().seemsMissing()) {
			schedule(delayNanos, this::due);
		}
	}

	private void schedule(long delayNanos, Runnable task) {
		this.nextDue = this.environment.timer().schedule(delayNanos, task);
		if (!this.state.get().isKept()) {
			// Lost a race with end(): cancel this timer.
			cancelNext();
		}
	}

	private void cancelNext() {
		Timer.Task task = this.nextDue;
		if (task != null) {
			task.cancel();
		}
	}

	/**
	 * A demand for a heartbeat.
	 */
	private static final class Demand {

		private final CompletableFuture<HeldLease> confirmed = new CompletableFuture<>();

		/** Whether a heartbeat was begun since. */
		private volatile boolean served;

	}

}

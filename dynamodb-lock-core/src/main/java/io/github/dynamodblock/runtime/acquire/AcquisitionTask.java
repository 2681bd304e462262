/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.acquire;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.WaitingAcquisition;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.acquire.Acquisition;
import io.github.dynamodblock.protocol.acquire.Observation;
import io.github.dynamodblock.protocol.acquire.Turns;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.protocol.lease.LeaseEffects;
import io.github.dynamodblock.runtime.call.OperationRunner;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.runtime.shared.ListenerDispatcher;
import io.github.dynamodblock.runtime.shared.WaitQueue;
import org.jspecify.annotations.Nullable;

/**
 * One caller's acquisition. It waits in the queues of its slots and carries out an
 * {@link Acquisition}. The caller gets the outcome as soon as it is certain or the wait
 * is over. The task then continues until all its claims are cleaned up. Thread-safe.
 */
public final class AcquisitionTask implements ClientState.Acquiring, WaitQueue.Waiter, Turns {

	private final AcquisitionTerms terms;

	private final ClientState client;

	private final ListenerDispatcher.Notifications notifications;

	private final long begunAt;

	private final Acquisition acquisition;

	private final OperationRunner runner;

	/** The keys in whose queues it waits. */
	private final Set<LockKey> lines = ConcurrentHashMap.newKeySet();

	/**
	 * Counts the queues in which it waits, the operations in progress, and the task
	 * itself.
	 */
	private final AtomicInteger open = new AtomicInteger(1);

	private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

	/** Completed last, because its dependents may run the caller's code. */
	private final CompletableFuture<Outcome> announced = new CompletableFuture<>();

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	private final AtomicBoolean waits = new AtomicBoolean();

	/** When to check whether the wait is over. */
	private volatile long overdueAt;

	private volatile Timer.@Nullable Task deadline;

	/**
	 * @param thread makes the calls, until the acquisition ends
	 */
	public AcquisitionTask(AcquisitionTerms terms, ClientState client, Executor thread) {
		this.terms = terms;
		this.client = client;
		Environment environment = client.environment();
		this.begunAt = environment.now().observerNanos();
		this.notifications = client.listeners().about(terms.request());
		this.acquisition = new Acquisition(terms, client.observations(), environment.randomness(), this);
		this.overdueAt = (terms.waitNanos() == 0) ? terms.sendDeadline() : terms.deadline();
		this.runner = new OperationRunner(this.acquisition, environment, CallKind.ACQUIRE,
				(call) -> environment.send(call, thread), this::paused, this::ended);
	}

	public void begin() {
		this.runner.begin();
	}

	/**
	 * Schedules the end of the wait. A blocking caller calls {@link #onTimeout()} itself
	 * instead.
	 */
	public void endInTime() {
		long left = nanosLeft();
		if (left != Long.MAX_VALUE) {
			this.deadline = this.client.environment().waits().schedule(left, () -> {
				onTimeout();
				endInTime();
			});
			if (this.outcome.isDone()) {
				cancelDeadline();
			}
		}
	}

	/**
	 * Returns the delay until {@link #onTimeout()} should be called, in nanoseconds;
	 * {@link Long#MAX_VALUE} for never. The first call is at the end of the wait time. A
	 * later one is at the time limit of the call in progress, or at the end of a silent
	 * owner's lease.
	 */
	public long nanosLeft() {
		long until = this.outcome.isDone() ? Long.MAX_VALUE : this.overdueAt;
		return (until == Long.MAX_VALUE) ? until : until - this.client.environment().now().observerNanos();
	}

	/**
	 * Ends the wait with what is known, unless a call in progress can change the result.
	 * Called when the time of {@link #nanosLeft()} has passed.
	 */
	public void onTimeout() {
		try (Callbacks.Work work = Callbacks.deferred()) {
			endIfKnown();
		}
	}

	/** Returns the outcome, which never fails. */
	public CompletableFuture<Outcome> outcome() {
		return this.outcome;
	}

	@Override
	public CompletableFuture<Void> settled() {
		return this.settled;
	}

	/**
	 * Returns the outcome for the caller, which is completed after heartbeats have begun.
	 */
	public CompletableFuture<Outcome> announced() {
		return this.announced;
	}

	@Override
	public AcquisitionTerms terms() {
		return this.terms;
	}

	private Duration waited(ClockReading now) {
		return Duration.ofNanos(now.observerNanos() - this.begunAt);
	}

	@Override
	public Optional<WaitingAcquisition> waiting() {
		return (this.waits.get() && !this.outcome.isDone())
				? Optional.of(new WaitingAcquisition(this.terms.request(), waited(this.client.environment().now())))
				: Optional.empty();
	}

	/**
	 * Cancels the acquisition. A lock that was granted at the same time is released.
	 */
	public void cancel() {
		conclude(new Step.Denied(null, null));
		LeaseHandle granted = this.outcome.join().handle();
		if (granted != null) {
			granted.discard();
		}
	}

	@Override
	public void close() {
		conclude(new Step.Failed(new LockClientClosedException(this.client.settings().ownerName())));
	}

	@Override
	public boolean takeIfFree(LockKey key) {
		if (this.terms.isAdoption()) {
			return true;
		}
		boolean taken = this.client.holder(key) == null && this.client.queue().enterIfFree(key, this);
		return taken && leavesLine(key);
	}

	@Override
	public boolean enter(LockKey key) {
		// In this order, because the turn may come at once.
		standsInLine(key);
		return this.client.queue().enter(key, this) && leavesLine(key);
	}

	private boolean leavesLine(LockKey key) {
		if (this.lines.remove(key)) {
			this.open.decrementAndGet();
		}
		return true;
	}

	@Override
	public void pause(LockKey key) {
		standsInLine(key);
		this.client.queue().pause(key, this);
	}

	private void standsInLine(LockKey key) {
		if (this.lines.add(key)) {
			this.open.incrementAndGet();
		}
	}

	@Override
	public @Nullable LockRecord holder(LockKey key) {
		return this.client.holder(key);
	}

	@Override
	public void onTurn(LockKey key) {
		this.lines.remove(key);
		if (this.runner.consult(() -> this.acquisition.turn(key, this.client.environment().now()))) {
			this.runner.wake();
		}
		else {
			this.client.queue().leave(key);
		}
		closed();
	}

	@Override
	public void onTurn(Lease lease) {
		LockRecord record = lease.renewals().record();
		this.lines.remove(record.key());
		// The cleanup covers whatever the acquisition claims at the same time.
		granted(lease, new Step.Granted(record, lease.claimedAt(), false), null);
		closed();
	}

	@Override
	public Step.@Nullable End evidence(LockKey key) {
		return this.runner.consult(() -> this.acquisition.evidence(key, this.client.environment().now()));
	}

	@Override
	public void onEvidence() {
		if (isOver()) {
			endIfKnown();
		}
	}

	/** Whether the wait is over. A call in progress may still decide the outcome. */
	private boolean isOver() {
		return !this.outcome.isDone() && this.client.environment().now().observerNanos() >= this.terms.deadline();
	}

	private void endIfKnown() {
		// Not under this acquisition's lock, because an acquisition ahead may query this
		// one at the same time.
		Map<LockKey, Step.End> ahead = new HashMap<>();
		for (LockKey key : this.lines) {
			Step.End known = this.client.busy(key);
			if (known != null) {
				ahead.put(key, known);
			}
		}
		Step.End end = this.runner.consult(() -> {
			ClockReading now = this.client.environment().now();
			Step.End known = this.acquisition.overdue(ahead, now);
			this.overdueAt = this.acquisition.overdueAt(now);
			return known;
		});
		if (end != null) {
			conclude(end);
		}
		else if (this.runner.consult(this.acquisition::isTurned)) {
			this.runner.wake();
		}
	}

	private void paused(Step.Wait pause) {
		boolean isBusy = pause.holder() != null || !this.lines.isEmpty();
		if (isBusy && this.terms.waitNanos() > 0 && !this.outcome.isDone() && this.waits.compareAndSet(false, true)) {
			LockRecord holder = (pause.holder() != null) ? pause.holder()
					: this.lines.stream().findFirst().map(this.client::holder).orElse(null);
			this.notifications.send((listener) -> listener.onWaiting(this.terms.request(), holder));
		}
		leaveTurns();
		if (isOver() && !this.lines.isEmpty()) {
			// The acquisitions ahead know whether the slots are busy.
			endIfKnown();
		}
	}

	/**
	 * Notifies the acquisitions behind this one of new evidence, then leaves the turns
	 * that have ended.
	 */
	private void leaveTurns() {
		this.runner.consult(this.acquisition::news).forEach(this::notifyWaiters);
		this.runner.consult(this.acquisition::left).forEach(this::leave);
	}

	private void notifyWaiters(LockKey key) {
		this.client.queue().waiting(key).forEach(WaitQueue.Waiter::onEvidence);
	}

	private void leave(LockKey key) {
		if (!this.terms.isAdoption()) {
			this.client.queue().leave(key);
		}
	}

	private void ended(Step.End last) {
		if (last instanceof Step.Granted granted) {
			granted(Lease.granted(this.terms, granted, this.client.environment().now()), granted,
					this.runner.consult(this.acquisition::takenOverFrom));
		}
		this.runner.consult(this.acquisition::ended).forEach(this::cleanUp);
		// In this order, waiters in the queue can use this answer. A caller that tries
		// again at once no longer finds this acquisition in the queue.
		leaveTurns();
		conclude(last);
		closed();
	}

	private void cleanUp(LockKey key, Operation cleanup) {
		if (!this.client.beginCleanup()) {
			leave(key);
			return;
		}
		this.open.incrementAndGet();
		Environment environment = this.client.environment();
		new OperationRunner(cleanup, environment, CallKind.ACQUIRE, null, (cleanedUp) -> {
			this.client.endCleanup();
			leave(key);
			closed();
		}).begin();
	}

	private void granted(Lease lease, Step.Granted granted, @Nullable Observation takenOverFrom) {
		ClockReading now = this.client.environment().now();
		LeaseHandle handle = new LeaseHandle(lease, waited(now), !this.terms.isAdoption(), this.client,
				this.notifications);
		this.client.add(handle.runner());
		LockKey key = granted.record().key();
		// The lease keeps the turn, but not this acquisition.
		this.client.queue().granted(key, this);
		if (end(new Outcome(handle, granted))) {
			handle.runner().deliver(takeover(handle, takenOverFrom, now));
			notifyWaiters(key);
			leaveTurns();
			this.announced.complete(this.outcome.join());
		}
		else {
			handle.discard();
		}
	}

	private @Nullable Consumer<LeaseEffects> takeover(HeldLock handle, @Nullable Observation overtaken,
			ClockReading now) {
		if (overtaken == null) {
			return null;
		}
		LockRecord previous = overtaken.record();
		Duration seen = Duration.ofNanos(now.observerNanos() - overtaken.firstSeen());
		// With a clock bound, a lease can end without having been observed for its whole
		// time.
		Duration silent = (seen.compareTo(previous.leaseDuration()) < 0) ? previous.leaseDuration() : seen;
		return (effects) -> {
			effects.report((listener, lock) -> listener.onTakenOver(lock, previous, silent));
			this.client.log().takenOver(handle, previous, silent);
		};
	}

	private void conclude(Step.End how) {
		if (!end(new Outcome(null, how))) {
			return;
		}
		if (how instanceof Step.Denied denied && denied.holder() != null) {
			this.runner.consult(this.acquisition::keys).forEach(this.client::completeObservation);
		}
		// Measured once, so all listeners get the same.
		Duration waited = waited(this.client.environment().now());
		LockException refusal = Refusals.explain(this.terms, how);
		this.notifications.send((listener) -> listener.onAcquireFailed(this.terms.request(), waited, refusal));
		leaveTurns();
		this.announced.complete(this.outcome.join());
	}

	/** Completes the outcome, once, and leaves the queues. */
	private boolean end(Outcome how) {
		boolean first = this.outcome.complete(how);
		if (first) {
			cancelDeadline();
			this.runner.interrupt(this.acquisition::abandon);
			Set.copyOf(this.lines).forEach(this::withdraw);
		}
		return first;
	}

	private void withdraw(LockKey key) {
		if (this.client.queue().withdraw(key, this)) {
			this.lines.remove(key);
			closed();
		}
	}

	private void cancelDeadline() {
		Timer.Task task = this.deadline;
		if (task != null) {
			task.cancel();
		}
	}

	/**
	 * Notes that the task has left a queue, or that an operation or the acquisition has
	 * ended.
	 */
	private void closed() {
		if (this.open.decrementAndGet() == 0) {
			this.client.remove(this);
			this.settled.complete(null);
		}
	}

	/**
	 * The outcome of an acquisition.
	 *
	 * @param handle the lock, or {@code null} if none was granted
	 */
	public record Outcome(@Nullable LeaseHandle handle, Step.End end) {
	}

}

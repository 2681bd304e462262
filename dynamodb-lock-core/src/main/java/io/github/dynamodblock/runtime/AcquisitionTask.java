/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.WaitingAcquisition;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.acquire.Acquisition;
import io.github.dynamodblock.protocol.acquire.AcquisitionTerms;
import io.github.dynamodblock.protocol.acquire.Observation;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.protocol.lease.LeaseEffects;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;

/**
 * One caller's acquisition: waits in the queue of its key, carries out an
 * {@link Acquisition}, and gives the caller its outcome as soon as that is certain or the
 * wait time is over. Goes on without the caller until all that was sent is cleaned up.
 * Thread-safe.
 */
final class AcquisitionTask implements WaitQueue.Waiter {

	private final AcquisitionTerms terms;

	private final ClientState client;

	private final Acquisition acquisition;

	private final OperationRunner runner;

	private final ListenerDispatcher.Notifications notifications;

	private final long begunAt;

	private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

	/** Completed last, since its dependents may run code of the caller. */
	private final CompletableFuture<Outcome> announced = new CompletableFuture<>();

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	private final AtomicBoolean waits = new AtomicBoolean();

	private volatile Timer.@Nullable Task deadline;

	/** When to check whether the caller's wait is over. */
	private volatile long overdueAt;

	/** Whether the wait is over, but not the turn of the acquisition ahead. */
	private volatile boolean overdue;

	/**
	 * @param thread makes the calls, until the acquisition ends
	 */
	AcquisitionTask(AcquisitionTerms terms, ClientState client, Executor thread) {
		this.terms = terms;
		this.client = client;
		Environment environment = client.environment();
		ClockReading now = environment.now();
		this.begunAt = now.observerNanos();
		this.acquisition = new Acquisition(terms, client.observations(), environment.randomness());
		this.overdueAt = (terms.waitNanos() == 0) ? terms.answerDeadline() : terms.deadline();
		this.runner = new OperationRunner(this.acquisition, environment, environment.acquisitions(thread), this::paused,
				this::ended);
		this.notifications = client.listeners().about(terms.request());
	}

	void begin() {
		if (this.terms.isHandedOver()) {
			onTurn();
			return;
		}
		boolean mayWait = this.terms.waitNanos() > 0;
		LockRecord holder = mayWait ? null : this.client.holder(key());
		if (holder != null) {
			conclude(new Step.Denied(holder, null));
			settle();
		}
		else if (!this.client.queue().enter(key(), this)) {
			if (mayWait) {
				waits(this.client.holder(key()));
			}
			else {
				// The answer to the acquisition ahead shows whether the lock is busy.
				onTimeout();
			}
		}
	}

	/**
	 * Schedules the end of the wait. A caller that blocks calls {@link #onTimeout()}
	 * itself instead.
	 */
	void endInTime() {
		long left = nanosLeft();
		if (!this.outcome.isDone() && left != Long.MAX_VALUE) {
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
	 * Returns when to call {@link #onTimeout()}: at the end of the wait, and after that
	 * when the calls under way, or the lease of a silent owner, reach their limit.
	 * @return the delay in nanoseconds; {@link Long#MAX_VALUE} for never
	 */
	long nanosLeft() {
		long until = this.overdueAt;
		return (until == Long.MAX_VALUE) ? until : until - this.client.environment().now().observerNanos();
	}

	/** Returns the outcome, which never fails. */
	CompletableFuture<Outcome> outcome() {
		return this.outcome;
	}

	/** Completed when nothing of this acquisition is under way, or its lock is held. */
	CompletableFuture<Void> settled() {
		return this.settled;
	}

	/** Returns the outcome for the caller: completed when heartbeats have begun. */
	CompletableFuture<Outcome> announced() {
		return this.announced;
	}

	AcquisitionTerms terms() {
		return this.terms;
	}

	/**
	 * Returns this acquisition if its caller waits for another owner or an earlier turn.
	 * @return the acquisition as it is now, or empty
	 */
	Optional<WaitingAcquisition> waiting() {
		return (this.waits.get() && !this.outcome.isDone())
				? Optional.of(new WaitingAcquisition(this.terms.request(), waited())) : Optional.empty();
	}

	/**
	 * Cancels the acquisition. A lock that was granted at the same time is released.
	 */
	void cancel() {
		leave(new Step.Denied(null, null));
		LeaseHandle granted = this.outcome.join().handle();
		if (granted != null) {
			granted.discard();
		}
	}

	/**
	 * The client closes.
	 */
	void close() {
		leave(new Step.Failed(new LockClientClosedException(this.client.settings().ownerName())));
	}

	@Override
	public void onTurn() {
		if (this.outcome.isDone()) {
			leaveQueue();
			return;
		}
		// At most half of the caller's time: the rest is for its own calls.
		ClockReading now = this.client.environment().now();
		long left = this.terms.deadline() - now.observerNanos();
		long pause = (this.terms.waitNanos() > 0 && left > 0)
				? this.client.fairness().backOffNanos(key(), now, left / 2) : 0;
		if (pause > 0) {
			this.client.environment().waits().schedule(pause, this.runner::begin);
		}
		else {
			this.runner.begin();
		}
	}

	private LockKey key() {
		return this.terms.key();
	}

	/**
	 * Ends the wait with what is known, when the time of {@link #nanosLeft()} has passed.
	 * A call under way that will show more is awaited.
	 */
	void onTimeout() {
		if (this.client.queue().isWaiting(key(), this)) {
			this.overdueAt = this.terms.answerDeadline();
			this.overdue = true;
			onEvidence();
			return;
		}
		Step.End end = this.runner.consult(() -> {
			ClockReading now = this.client.environment().now();
			Step.End outcome = this.acquisition.overdue(now);
			this.overdueAt = this.acquisition.overdueAt(now);
			return outcome;
		});
		if (end != null && conclude(end)) {
			this.runner.interrupt(this.acquisition::abandon);
		}
	}

	@Override
	public void onEvidence() {
		if (!this.overdue) {
			return;
		}
		Step.End known = this.client.busy(key());
		if (known == null && nanosLeft() <= 0) {
			known = unanswered(null);
		}
		if (known != null && withdraw()) {
			conclude(known);
			settle();
		}
	}

	@Override
	public Step.@Nullable End evidence() {
		Step.End end = this.outcome.isDone() ? this.outcome.join().end() : null;
		if (!(end instanceof Step.Failed)) {
			end = this.runner.consult(() -> this.acquisition.evidence(this.client.environment().now()));
		}
		return (end instanceof Step.Failed failed) ? unanswered(failed.failure().getCause()) : end;
	}

	private Step.End unanswered(@Nullable Throwable cause) {
		return new Step.Failed(new LockStoreException("Lock '" + key() + "' could not be acquired: DynamoDB has not "
				+ "answered an earlier call from this client, which may have acquired it", cause));
	}

	private void leave(Step.End reason) {
		if (!conclude(reason)) {
			return;
		}
		if (withdraw()) {
			settle();
			return;
		}
		this.runner.interrupt(this.acquisition::abandon);
	}

	private boolean withdraw() {
		return this.client.queue().withdraw(key(), this);
	}

	private void ended(Step.End end) {
		if (end instanceof Step.Granted granted) {
			granted(granted);
			return;
		}
		if (this.acquisition.isSettled()) {
			// In this order: waiters in line need not ask for what was just answered, and
			// whoever tries again at once must find the way free.
			notifyWaiters();
			leaveQueue();
			conclude(end);
			return;
		}
		Environment environment = this.client.environment();
		new OperationRunner(this.acquisition.cleanup(), environment, environment.acquisitions(environment.background()),
				(settled) -> leaveQueue())
			.begin();
		conclude(end);
		notifyWaiters();
	}

	private void granted(Step.Granted granted) {
		Lease lease = Lease.granted(this.terms.request(), granted.record(), this.terms.lease(), this.terms.holdAtMost(),
				granted.sentAt(), this.client.environment().now(), new ResultFuture<>());
		LeaseHandle handle = new LeaseHandle(lease, this.terms.deleteOnRelease(), waited(), !this.terms.isHandedOver(),
				this.client, this.notifications);
		this.client.add(handle);
		// The lease keeps the turn, and nothing else of this acquisition.
		this.client.queue().granted(key(), this);
		if (this.outcome.complete(new Outcome(handle, granted))) {
			cancelDeadline();
			handle.begin(takeover(handle));
			settle();
			notifyWaiters();
			this.announced.complete(this.outcome.join());
		}
		else {
			handle.discard();
			settle();
		}
	}

	private boolean conclude(Step.End end) {
		if (!this.outcome.complete(new Outcome(null, end))) {
			return false;
		}
		cancelDeadline();
		if (end instanceof Step.Denied denied && denied.holder() != null) {
			this.client.completeObservation(key());
		}
		// Now, and not when a listener is called: all get the same.
		Duration waited = waited();
		LockException refusal = Refusals.explain(this.terms, end);
		this.notifications.send((listener) -> listener.onAcquireFailed(this.terms.request(), waited, refusal));
		this.announced.complete(this.outcome.join());
		return true;
	}

	private @Nullable Consumer<LeaseEffects> takeover(LeaseHandle handle) {
		Observation overtaken = this.acquisition.takenOverFrom();
		if (overtaken == null) {
			return null;
		}
		LockRecord previous = overtaken.record();
		Duration seen = Duration.ofNanos(this.client.environment().now().observerNanos() - overtaken.firstSeen());
		// With a clock bound, a lease can end that was not observed for its time.
		Duration silent = (seen.compareTo(previous.leaseDuration()) < 0) ? previous.leaseDuration() : seen;
		return (effects) -> {
			effects.report((listener, lock) -> listener.onTakenOver(lock, previous, silent));
			this.client.log().takenOver(handle, previous, silent);
		};
	}

	private Duration waited() {
		return Duration.ofNanos(this.client.environment().now().observerNanos() - this.begunAt);
	}

	private void paused(Step.Wait pause) {
		if (pause.holder() != null) {
			waits(pause.holder());
		}
		notifyWaiters();
	}

	/** Notifies those that wait for the evidence of this acquisition. */
	private void notifyWaiters() {
		this.client.queue().waiting(key()).forEach(WaitQueue.Waiter::onEvidence);
	}

	private void waits(@Nullable LockRecord holder) {
		if (!this.outcome.isDone() && this.waits.compareAndSet(false, true)) {
			this.notifications.send((listener) -> listener.onWaiting(this.terms.request(), holder));
		}
	}

	private void leaveQueue() {
		if (!this.terms.isHandedOver()) {
			this.client.queue().leave(key());
		}
		settle();
	}

	private void settle() {
		this.client.remove(this);
		this.settled.complete(null);
	}

	private void cancelDeadline() {
		Timer.Task task = this.deadline;
		if (task != null) {
			task.cancel();
		}
	}

	/**
	 * The outcome of an acquisition.
	 *
	 * @param handle the lock, or {@code null} if it was not granted
	 * @param end how the acquisition ended
	 */
	record Outcome(@Nullable LeaseHandle handle, Step.End end) {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.acquire.Acquisition;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.acquire.Observation;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.protocol.lease.LeaseEffects;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Environment;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of an {@link AcquisitionTask} at one lock: waits in the queue of its key and
 * carries out an {@link Acquisition}. After the end of its task, it continues until all
 * claims that were sent are cleaned up. Thread-safe.
 */
final class Attempt implements WaitQueue.Waiter {

	private final AcquisitionTask task;

	private final AcquisitionTerms terms;

	private final ClientState client;

	private final Acquisition acquisition;

	private final OperationRunner runner;

	private final AtomicBoolean begun = new AtomicBoolean();

	/** How it ended, for its task. */
	private final AtomicReference<Step.@Nullable End> end = new AtomicReference<>();

	private volatile boolean settled;

	/** When to check whether the wait is over. */
	private volatile long overdueAt;

	/** Whether the wait is over, perhaps before this attempt has begun. */
	private volatile boolean overdue;

	/**
	 * @param thread makes the calls, until the task has its outcome
	 */
	Attempt(AcquisitionTask task, AcquisitionTerms terms, ClientState client, Executor thread) {
		this.task = task;
		this.terms = terms;
		this.client = client;
		Environment environment = client.environment();
		this.acquisition = new Acquisition(terms, client.observations(), environment.randomness());
		this.overdueAt = (terms.waitNanos() == 0) ? terms.slotDeadline() : terms.deadline();
		this.runner = new OperationRunner(this.acquisition, environment, CallKind.ACQUIRE,
				(call) -> environment.send(call, thread), this::paused, this::ended);
	}

	/**
	 * Takes the turn of the attempt's lock if this client neither holds nor asks for it.
	 * @return whether {@link #begin} has the turn
	 */
	boolean takeTurn() {
		return !this.terms.isHandedOver() && this.client.holder(key()) == null
				&& this.client.queue().enterIfFree(key(), this);
	}

	/**
	 * Begins the attempt, unless its task no longer needs it.
	 * @param hasTurn whether its turn has begun; otherwise it waits for that in line
	 */
	void begin(boolean hasTurn) {
		if (!this.begun.compareAndSet(false, true)) {
			if (hasTurn) {
				leaveQueue();
			}
		}
		else if (hasTurn || this.terms.isHandedOver()) {
			onTurn();
		}
		else {
			standInLine();
		}
	}

	private void standInLine() {
		boolean mayWait = this.terms.waitNanos() > 0;
		LockRecord holder = mayWait ? null : this.client.holder(key());
		if (holder != null) {
			settle();
			conclude(new Step.Denied(holder, null));
		}
		else if (this.client.queue().enter(key(), this)) {
			onTurn();
		}
		else {
			if (isOver() && withdraw()) {
				// It was left before it was in the queue.
				settle();
				return;
			}
			if (mayWait) {
				this.task.busy(this, this.client.holder(key()));
			}
			if (!mayWait || this.overdue) {
				// The answer to the acquisition ahead shows whether the lock is busy.
				onTimeout();
			}
		}
	}

	/** Ends the attempt, since its task has its outcome. */
	void leave() {
		if (!this.end.compareAndSet(null, new Step.Denied(null, null))) {
			return;
		}
		if (this.begun.compareAndSet(false, true) || withdraw()) {
			settle();
		}
		else {
			this.runner.interrupt(this.acquisition::abandon);
		}
	}

	boolean isOver() {
		return this.end.get() != null;
	}

	/** Whether it has ended without a lock. */
	boolean isRefused() {
		Step.End how = this.end.get();
		return how != null && !(how instanceof Step.Granted);
	}

	/** How it ended, once it is over. */
	Step.End end() {
		return Objects.requireNonNull(this.end.get());
	}

	/** Whether nothing of it is under way, or its lock is held. */
	boolean isSettled() {
		return this.settled;
	}

	/** Returns when to call {@link #onTimeout()}. */
	long overdueAt() {
		return isOver() ? Long.MAX_VALUE : this.overdueAt;
	}

	/**
	 * Ends the wait with what is known, when {@link #overdueAt()} has passed. A call
	 * under way that will show more is awaited.
	 */
	void onTimeout() {
		this.overdue = true;
		if (!this.begun.get()) {
			this.overdueAt = this.terms.answerDeadline();
			return;
		}
		if (this.client.queue().isWaiting(key(), this)) {
			this.overdueAt = this.terms.answerDeadline();
			onEvidence();
			return;
		}
		Step.End known = this.runner.consult(() -> {
			ClockReading now = this.client.environment().now();
			Step.End outcome = this.acquisition.overdue(now);
			this.overdueAt = this.acquisition.overdueAt(now);
			return outcome;
		});
		if (known != null && conclude(known)) {
			this.runner.interrupt(this.acquisition::abandon);
		}
	}

	@Override
	public void onTurn() {
		if (isOver()) {
			leaveQueue();
		}
		else {
			this.runner.begin();
		}
	}

	@Override
	public void onTurn(Lease lease) {
		granted(lease, new Step.Granted(lease.renewals().record(), lease.claimedAt(), false));
	}

	@Override
	public AcquisitionTerms terms() {
		return this.terms;
	}

	@Override
	public void onEvidence() {
		if (!this.overdue) {
			return;
		}
		Step.End known = this.client.busy(key());
		if (known == null && this.overdueAt <= this.client.environment().now().observerNanos()) {
			known = unanswered(null);
		}
		if (known != null && withdraw()) {
			settle();
			conclude(known);
		}
	}

	@Override
	public Step.@Nullable End evidence() {
		Step.End known = this.end.get();
		if (!(known instanceof Step.Failed)) {
			known = this.runner.consult(() -> this.acquisition.evidence(this.client.environment().now()));
		}
		boolean open = known instanceof Step.Failed && !this.runner.consult(this.acquisition::isSettled);
		return (open && known instanceof Step.Failed failed) ? unanswered(failed.failure().getCause()) : known;
	}

	private Step.End unanswered(@Nullable Throwable cause) {
		return new Step.Failed(new LockStoreException("Lock '" + key() + "' could not be acquired: DynamoDB has not "
				+ "answered an earlier call from this client, which may have acquired it", cause));
	}

	private LockKey key() {
		return this.terms.key();
	}

	private boolean withdraw() {
		return this.client.queue().withdraw(key(), this);
	}

	private void paused(Step.Wait pause) {
		if (pause.holder() != null) {
			this.task.busy(this, pause.holder());
		}
		else if (this.runner.consult(() -> this.acquisition.isSettled() && !this.acquisition.isFailing())) {
			this.task.beginAfter(this);
		}
		notifyWaiters();
	}

	private void ended(Step.End last) {
		if (last instanceof Step.Granted granted) {
			granted(Lease.granted(this.terms, granted, this.client.environment().now()), granted);
			return;
		}
		if (this.acquisition.isSettled() || !this.client.beginCleanup()) {
			// In this order: waiters in the queue use this answer, and a caller
			// that tries again at once does not find this attempt in the queue.
			notifyWaiters();
			leaveQueue();
			conclude(last);
			return;
		}
		Environment environment = this.client.environment();
		new OperationRunner(this.acquisition.cleanup(), environment, CallKind.ACQUIRE, null, (cleanedUp) -> {
			this.client.endCleanup();
			leaveQueue();
		}).begin();
		conclude(last);
		notifyWaiters();
	}

	private void granted(Lease lease, Step.Granted granted) {
		ClockReading now = this.client.environment().now();
		Duration waited = this.task.waited(now);
		LeaseHandle handle = new LeaseHandle(lease, waited, !this.terms.isHandedOver(), this.client,
				this.task.notifications());
		this.client.add(handle.runner());
		// The lease keeps the turn, and nothing else of this attempt.
		this.client.queue().granted(key(), this);
		if (this.end.compareAndSet(null, granted) && this.task.granted(handle, granted)) {
			handle.runner().deliver(takeover(handle, now));
			settle();
			notifyWaiters();
			this.task.announce();
		}
		else {
			handle.discard();
			settle();
		}
	}

	private boolean conclude(Step.End how) {
		if (!this.end.compareAndSet(null, how)) {
			return false;
		}
		if (how instanceof Step.Denied denied && denied.holder() != null) {
			this.client.completeObservation(key());
		}
		this.task.ended(this, how);
		return true;
	}

	private @Nullable Consumer<LeaseEffects> takeover(HeldLock handle, ClockReading now) {
		Observation overtaken = this.acquisition.takenOverFrom();
		if (overtaken == null) {
			return null;
		}
		LockRecord previous = overtaken.record();
		Duration seen = Duration.ofNanos(now.observerNanos() - overtaken.firstSeen());
		// With a clock bound, a lease can end that was not observed for its time.
		Duration silent = (seen.compareTo(previous.leaseDuration()) < 0) ? previous.leaseDuration() : seen;
		return (effects) -> {
			effects.report((listener, lock) -> listener.onTakenOver(lock, previous, silent));
			this.client.log().takenOver(handle, previous, silent);
		};
	}

	/** Notifies those that wait for the evidence of this attempt. */
	private void notifyWaiters() {
		this.client.queue().waiting(key()).forEach(WaitQueue.Waiter::onEvidence);
	}

	private void leaveQueue() {
		if (!this.terms.isHandedOver()) {
			this.client.queue().leave(key());
		}
		settle();
	}

	private void settle() {
		this.settled = true;
		this.task.attemptSettled();
	}

}

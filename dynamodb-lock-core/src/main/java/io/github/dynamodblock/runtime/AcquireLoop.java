/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.WaitingAcquisition;
import io.github.dynamodblock.protocol.Acquisition;
import io.github.dynamodblock.protocol.AcquisitionTerms;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Conversation;
import io.github.dynamodblock.protocol.Moment;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * One caller's acquisition: stands in line, lets the protocol decide, and tells the
 * caller as soon as something is certain or the caller's time is over. Goes on without
 * the caller until whatever was sent is settled. Thread-safe.
 */
final class AcquireLoop implements WaitQueue.Waiter {

	private final AcquisitionTerms terms;

	private final ClientState client;

	private final @Nullable Line line;

	private final Acquisition acquisition;

	private final ConversationRunner runner;

	private final Notifications notifications;

	private final long begunAt;

	private final CompletableFuture<Told> told = new CompletableFuture<>();

	/** Completed after the others, since it may run the caller's code at once. */
	private final CompletableFuture<Told> announced = new CompletableFuture<>();

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	private final AtomicBoolean waits = new AtomicBoolean();

	private volatile Timer.@Nullable Task deadline;

	/** Whether the turn has come. */
	private volatile boolean begun;

	/** Whether the caller has left while a write was not answered. */
	private volatile boolean unsettled;

	AcquireLoop(AcquisitionTerms terms, ClientState client) {
		this.terms = terms;
		this.client = client;
		this.line = Line.of(terms);
		Environment environment = client.environment();
		Moment now = environment.now();
		this.begunAt = now.observerNanos();
		this.acquisition = new Acquisition(terms, client.observations(), environment.randomness(), now);
		this.runner = new ConversationRunner(new Observed(), environment, environment.calls(), this::ended);
		List<LockListener> listeners = new ArrayList<>(client.settings().listeners());
		terms.request().listener().ifPresent(listeners::add);
		this.notifications = new Notifications(terms.key(), List.copyOf(listeners), environment.listeners());
	}

	void begin() {
		if (!enter()) {
			tell(this.client.busy(key()));
			settle();
			return;
		}
		if (!this.begun) {
			waits(this.client.holder(key()));
		}
	}

	/**
	 * Sees to it that the caller is told something at its deadline. A caller that waits
	 * by itself need not ask for this; it calls {@link #deadlineCame()}.
	 */
	void endAtDeadline() {
		if (!this.told.isDone() && this.terms.patience() != Long.MAX_VALUE) {
			this.deadline = this.client.environment().timer().schedule(nanosLeft(), this::deadlineCame);
			if (this.told.isDone()) {
				cancelDeadline();
			}
		}
	}

	/**
	 * How long the caller waits yet.
	 * @return nanoseconds; {@link Long#MAX_VALUE} for ever
	 */
	long nanosLeft() {
		return (this.terms.patience() == Long.MAX_VALUE) ? Long.MAX_VALUE
				: this.terms.patience() - this.client.environment().now().observerNanos();
	}

	private boolean enter() {
		if (this.line == null) {
			turnCame();
			return true;
		}
		boolean mayWait = this.terms.waitNanos() > 0;
		if (!mayWait && this.line.owner() == null && this.client.holds(key())) {
			return false;
		}
		return this.client.queue().enter(this.line, this, mayWait);
	}

	/**
	 * What the caller is told, once. Never completed exceptionally.
	 * @return the completion
	 */
	CompletableFuture<Told> told() {
		return this.told;
	}

	/**
	 * Completed when nothing of this acquisition is under way any more, or its lock is
	 * held.
	 * @return the completion
	 */
	CompletableFuture<Void> settled() {
		return this.settled;
	}

	/**
	 * What the caller was told, for whoever goes on at once: completed when the lock is
	 * kept already.
	 * @return the completion
	 */
	CompletableFuture<Told> announced() {
		return this.announced;
	}

	AcquisitionTerms terms() {
		return this.terms;
	}

	/**
	 * Whether something was sent for a lock that may have taken it, although the caller
	 * was told that it has no lock.
	 * @param key the lock
	 * @return whether that is so
	 */
	boolean isUnsettled(LockKey key) {
		return this.unsettled && key.equals(key()) && !this.settled.isDone();
	}

	/**
	 * What this acquisition is, if its caller waits because somebody else has the lock or
	 * an earlier turn.
	 * @return the acquisition as it is now, or empty
	 */
	Optional<WaitingAcquisition> waiting() {
		return (this.waits.get() && !this.told.isDone())
				? Optional.of(new WaitingAcquisition(this.terms.request(), waited())) : Optional.empty();
	}

	/**
	 * The caller leaves. A lock that was granted at the same moment is given back.
	 */
	void cancel() {
		leave(new Step.Denied(null, null));
		LeaseHandle granted = this.told.join().handle();
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
	public void turnCame() {
		this.begun = true;
		if (this.told.isDone()) {
			leaveQueue();
			return;
		}
		// At most half of the caller's time: the rest is for its own calls.
		long pause = (this.terms.waitNanos() > 0)
				? this.client.turns().standBack(key(), this.client.environment().now(), nanosLeft() / 2) : 0;
		if (pause > 0) {
			this.client.environment().timer().schedule(pause, this.runner::begin);
		}
		else {
			this.runner.begin();
		}
	}

	private LockKey key() {
		return this.terms.key();
	}

	/**
	 * The caller's time is over: it is told so, unless it was told something before.
	 */
	void deadlineCame() {
		if (withdraw()) {
			tell(this.client.busy(key()));
			settle();
			return;
		}
		this.runner.interrupt(() -> {
			Step.End end = this.acquisition.giveUp(this.client.environment().now());
			abandon();
			tell(end);
		});
	}

	private void leave(Step.End reason) {
		if (!tell(reason)) {
			return;
		}
		if (withdraw()) {
			settle();
			return;
		}
		this.runner.interrupt(this::abandon);
	}

	private boolean withdraw() {
		return this.line != null && this.client.queue().withdraw(this.line, this);
	}

	/** The protocol goes on without the caller; only the runner may call this. */
	private void abandon() {
		this.acquisition.abandon();
		this.unsettled = !this.acquisition.isSettled();
	}

	private void ended(Step.End end) {
		if (end instanceof Step.Granted granted) {
			granted(granted);
			return;
		}
		if (this.acquisition.isSettled()) {
			// In this order: whoever tries again at once must find the way free.
			leaveQueue();
			tell(end);
			return;
		}
		this.unsettled = true;
		new ConversationRunner(this.acquisition.settlement(), this.client.environment(),
				this.client.environment().calls(), (settled) -> leaveQueue())
			.begin();
		tell(end);
	}

	private void granted(Step.Granted granted) {
		boolean keepsTurn = this.line != null && !this.line.endsAtGrant();
		LeaseHandle handle = new LeaseHandle(granted.lease(), this.terms, this.client, this.notifications, waited(),
				keepsTurn ? this::leaveQueue : this::settle);
		this.client.add(handle);
		if (!keepsTurn) {
			leaveQueue();
		}
		if (this.told.complete(new Told(handle, granted))) {
			cancelDeadline();
			handle.begin();
			settle();
			this.announced.complete(this.told.join());
		}
		else {
			handle.discard();
		}
	}

	private boolean tell(Step.End end) {
		if (!this.told.complete(new Told(null, end))) {
			return false;
		}
		cancelDeadline();
		// Now, and not when a listener has time for it: all are told the same.
		Duration waited = waited();
		LockException refusal = Refusals.explain(this.terms, end);
		this.notifications.tell((listener) -> listener.onNotAcquired(this.terms.request(), waited, refusal));
		this.announced.complete(this.told.join());
		return true;
	}

	private Duration waited() {
		return Duration.ofNanos(this.client.environment().now().observerNanos() - this.begunAt);
	}

	private void waits(@Nullable LockRecord holder) {
		if (!this.told.isDone() && this.waits.compareAndSet(false, true)) {
			this.notifications.tell((listener) -> listener.onWaiting(this.terms.request(), holder));
		}
	}

	private void leaveQueue() {
		if (this.line != null) {
			this.client.queue().leave(this.line);
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
	 * The acquisition, overheard: listeners are told when it begins to wait for somebody.
	 */
	private final class Observed implements Conversation {

		@Override
		public Step start(Moment now) {
			return overheard(AcquireLoop.this.acquisition.start(now));
		}

		@Override
		public Step answered(Answer answer, Moment now) {
			return overheard(AcquireLoop.this.acquisition.answered(answer, now));
		}

		@Override
		public Step wake(Moment now) {
			return overheard(AcquireLoop.this.acquisition.wake(now));
		}

		private Step overheard(Step step) {
			LockRecord holder = AcquireLoop.this.acquisition.holder();
			if (step instanceof Step.Wait && holder != null) {
				waits(holder);
			}
			return step;
		}

	}

	/**
	 * What a caller is told.
	 *
	 * @param handle the lock, or {@code null} if it was not granted
	 * @param end how the acquisition ended
	 */
	record Told(@Nullable LeaseHandle handle, Step.End end) {
	}

}

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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.WaitingAcquisition;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;

/**
 * One caller's acquisition of a lock, or of any slot of a semaphore. Makes an
 * {@link Attempt} at one slot after the other until one is granted, beginning with those
 * that this client neither holds nor asks for. The next attempt begins as soon as the
 * earlier slots are known to be busy. A caller that waits then waits for all of them. The
 * caller gets its outcome as soon as that is certain or the wait time is over.
 * Thread-safe.
 */
final class AcquisitionTask implements ClientState.Acquiring {

	private final AcquisitionTerms terms;

	private final ClientState client;

	private final ListenerDispatcher.Notifications notifications;

	private final long begunAt;

	private final List<Attempt> attempts;

	/** Those that have not begun; only used while the next one is chosen. */
	private final List<Attempt> left;

	/** The attempt that began last; none while the next one is chosen. */
	private final AtomicReference<@Nullable Attempt> newest = new AtomicReference<>();

	private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

	/** Completed last, since its dependents may run code of the caller. */
	private final CompletableFuture<Outcome> announced = new CompletableFuture<>();

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	private final AtomicBoolean waits = new AtomicBoolean();

	private volatile Timer.@Nullable Task deadline;

	/**
	 * @param thread makes the calls, until the acquisition ends
	 */
	AcquisitionTask(AcquisitionTerms terms, ClientState client, Executor thread) {
		this.terms = terms;
		this.client = client;
		this.begunAt = client.environment().now().observerNanos();
		this.notifications = client.listeners().about(terms.request());
		this.attempts = terms.slots(client.environment().randomness()::fraction)
			.map((slot) -> new Attempt(this, slot, client, thread))
			.toList();
		this.left = new ArrayList<>(this.attempts);
	}

	void begin() {
		beginNext();
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
	 * Returns when to call {@link #onTimeout()}: at the end of the wait time, and later
	 * at the time limit of the calls under way or the end of a silent owner's lease.
	 * @return the delay in nanoseconds; {@link Long#MAX_VALUE} for never
	 */
	long nanosLeft() {
		long until = Long.MAX_VALUE;
		for (Attempt attempt : this.attempts) {
			until = Math.min(until, attempt.overdueAt());
		}
		return (until == Long.MAX_VALUE) ? until : until - this.client.environment().now().observerNanos();
	}

	/** Ends the wait when the time of {@link #nanosLeft()} has passed. */
	void onTimeout() {
		Callbacks.deferredDuring(() -> this.attempts.forEach(Attempt::onTimeout));
	}

	/** Returns the outcome, which never fails. */
	CompletableFuture<Outcome> outcome() {
		return this.outcome;
	}

	@Override
	public CompletableFuture<Void> settled() {
		return this.settled;
	}

	/** Returns the outcome for the caller: completed when heartbeats have begun. */
	CompletableFuture<Outcome> announced() {
		return this.announced;
	}

	AcquisitionTerms terms() {
		return this.terms;
	}

	ListenerDispatcher.Notifications notifications() {
		return this.notifications;
	}

	Duration waited(ClockReading now) {
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
	void cancel() {
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

	/**
	 * Begins the next attempt, unless another one has begun after this.
	 * @return {@code false} if there is none
	 */
	boolean beginAfter(Attempt attempt) {
		if (!this.newest.compareAndSet(attempt, null)) {
			return true;
		}
		if (this.left.isEmpty()) {
			this.newest.set(attempt);
			return false;
		}
		beginNext();
		return true;
	}

	/**
	 * Stands in line only when this client holds or asks for all slots that are left:
	 * callers of one client would be granted several, and return all but one.
	 */
	private void beginNext() {
		Attempt free = this.left.stream().filter(Attempt::takeTurn).findFirst().orElse(null);
		Attempt next = (free != null) ? free : this.left.get(0);
		this.left.remove(next);
		this.newest.set(next);
		next.begin(free != null);
	}

	/** An attempt waits for another owner, or for an earlier turn. */
	void busy(Attempt attempt, @Nullable LockRecord holder) {
		if (!beginAfter(attempt) && !this.outcome.isDone() && this.waits.compareAndSet(false, true)) {
			this.notifications.send((listener) -> listener.onWaiting(this.terms.request(), holder));
		}
	}

	/** An attempt has ended without a lock. */
	void ended(Attempt attempt, Step.End end) {
		if (end instanceof Step.Failed) {
			conclude(end);
		}
		else if (this.attempts.stream().allMatch(Attempt::isRefused)) {
			conclude(Refusals.ofAll(this.attempts.stream().map(Attempt::end)));
		}
		else {
			busy(attempt, (end instanceof Step.Denied denied) ? denied.holder() : null);
		}
	}

	/**
	 * An attempt was granted its lock.
	 * @return whether the caller receives it, after {@link #announce()}
	 */
	boolean granted(LeaseHandle handle, Step.Granted granted) {
		return end(new Outcome(handle, granted));
	}

	void announce() {
		this.announced.complete(this.outcome.join());
	}

	void attemptSettled() {
		if (this.attempts.stream().allMatch(Attempt::isSettled)) {
			this.client.remove(this);
			this.settled.complete(null);
		}
	}

	private void conclude(Step.End end) {
		if (end(new Outcome(null, end))) {
			// Now, and not when a listener is called: all get the same.
			Duration waited = waited(this.client.environment().now());
			LockException refusal = Refusals.explain(this.terms, end);
			this.notifications.send((listener) -> listener.onAcquireFailed(this.terms.request(), waited, refusal));
			announce();
		}
	}

	private boolean end(Outcome how) {
		boolean first = this.outcome.complete(how);
		if (first) {
			cancelDeadline();
			this.attempts.forEach(Attempt::leave);
		}
		return first;
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

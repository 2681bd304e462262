/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Acquisition;
import io.github.dynamodblock.protocol.AcquisitionTerms;
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

	private final Acquisition acquisition;

	private final ConversationRunner runner;

	private final CompletableFuture<Told> told = new CompletableFuture<>();

	private final CompletableFuture<Void> settled = new CompletableFuture<>();

	private volatile Timer.@Nullable Task deadline;

	/** Whether the caller has left while a write was not answered. */
	private volatile boolean unsettled;

	AcquireLoop(AcquisitionTerms terms, ClientState client) {
		this.terms = terms;
		this.client = client;
		Environment environment = client.environment();
		this.acquisition = new Acquisition(terms, client.observations(), environment.randomness(), environment.now());
		this.runner = new ConversationRunner(this.acquisition, environment, this::ended);
	}

	void begin() {
		boolean mayWait = this.terms.waitNanos() > 0;
		if (!this.client.queue().enter(key(), this, mayWait)) {
			tell(this.client.busy(key()));
			settle();
		}
		else if (!this.told.isDone() && this.terms.patience() != Long.MAX_VALUE) {
			long left = this.terms.patience() - this.client.environment().now().observerNanos();
			this.deadline = this.client.environment().timer().schedule(left, this::deadlineCame);
			if (this.told.isDone()) {
				cancelDeadline();
			}
		}
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
	 * Whether something was sent for a lock that may have taken it, although the caller
	 * was told that it has no lock.
	 * @param key the lock
	 * @return whether that is so
	 */
	boolean isUnsettled(LockKey key) {
		return this.unsettled && key.equals(key()) && !this.settled.isDone();
	}

	/**
	 * The caller leaves. A lock that was granted at the same moment is given back.
	 */
	void cancel() {
		leave(new Told(null, new Step.Denied(null, null)));
		LeaseHandle granted = this.told.join().handle();
		if (granted != null) {
			granted.discard();
		}
	}

	/**
	 * The client closes.
	 */
	void close() {
		leave(new Told(null, new Step.Failed(new LockClientClosedException(this.client.settings().ownerName()))));
	}

	@Override
	public void turnCame() {
		if (this.told.isDone()) {
			leaveQueue();
			return;
		}
		long pause = (this.terms.waitNanos() > 0)
				? this.client.turns().standBack(key(), this.client.environment().now()) : 0;
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

	private void deadlineCame() {
		if (this.client.queue().withdraw(key(), this)) {
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

	private void leave(Told reason) {
		if (!this.told.complete(reason)) {
			return;
		}
		cancelDeadline();
		if (this.client.queue().withdraw(key(), this)) {
			settle();
			return;
		}
		this.runner.interrupt(this::abandon);
	}

	/** The protocol goes on without the caller; only the runner may call this. */
	private void abandon() {
		this.acquisition.abandon();
		this.unsettled = !this.acquisition.isSettled();
	}

	private void ended(Step.End end) {
		if (end instanceof Step.Granted granted) {
			LeaseHandle handle = new LeaseHandle(granted.lease(), this.terms, this.client, this::leaveQueue);
			this.client.add(handle);
			if (this.told.complete(new Told(handle, end))) {
				cancelDeadline();
				handle.begin();
				settle();
			}
			else {
				handle.discard();
			}
			return;
		}
		if (this.acquisition.isSettled()) {
			// In this order: whoever tries again at once must find the way free.
			leaveQueue();
			tell(end);
			return;
		}
		this.unsettled = true;
		tell(end);
		new ConversationRunner(this.acquisition.settlement(), this.client.environment(), (settled) -> leaveQueue())
			.begin();
	}

	private void tell(Step.End end) {
		this.told.complete(new Told(null, end));
		cancelDeadline();
	}

	private void leaveQueue() {
		this.client.queue().leave(key());
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
	 * What a caller is told.
	 *
	 * @param handle the lock, or {@code null} if it was not granted
	 * @param end how the acquisition ended
	 */
	record Told(@Nullable LeaseHandle handle, Step.End end) {
	}

}

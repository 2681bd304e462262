/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * What may happen while callers of one client wait for its lock: one of them has it.
 */
public class AcquireRaces {

	private final RacingClient client = new RacingClient();

	private final LeaseHandle held;

	private volatile @Nullable AcquisitionTask first;

	private volatile @Nullable AcquisitionTask second;

	private volatile @Nullable CompletableFuture<Void> closed;

	private volatile @Nullable ConditionCheck check;

	public AcquireRaces() {
		this.held = this.client.acquire(LockRequest.of(RacingClient.KEY));
	}

	@Operation
	public void release() {
		this.held.beginRelease(ReleaseRequest.create()).join();
	}

	@Operation
	public String conditionCheck() {
		try {
			this.check = this.held.conditionCheck();
			return "given";
		}
		catch (IllegalStateException ex) {
			return "refused";
		}
	}

	@Operation
	public void begin() {
		this.first = this.client.start(LockRequest.of(RacingClient.KEY).waitTime(Duration.ofMinutes(1)));
	}

	@Operation
	public void beginSecond() {
		this.second = this.client.start(LockRequest.of(RacingClient.KEY).waitTime(Duration.ofMinutes(1)));
	}

	@Operation
	public void holdCallsBack() {
		this.client.environment().holdCallsBack();
	}

	@Operation
	public void deliver() {
		this.client.environment().deliver();
	}

	@Operation
	public void cancel() {
		AcquisitionTask task = this.first;
		if (task != null) {
			task.cancel();
		}
	}

	@Operation
	public void close() {
		this.closed = this.client.endEverything(true);
	}

	/**
	 * Everything that is under way is carried out. Whoever has the lock in hand then
	 * gives it back, which must leave it to the next and free in the end.
	 */
	@Operation
	public String outcome() {
		deliver();
		ConditionCheck given = this.check;
		String told = told(this.first) + ", " + told(this.second) + ", " + this.client.ends()
				+ ((given != null && this.client.holds(given)) ? ", still guarded" : "");
		beginRelease(this.first);
		beginRelease(this.second);
		CompletableFuture<Void> closing = this.closed;
		return told + ((closing == null) ? "" : closing.isDone() ? ", closed" : ", closes for ever") + ", "
				+ this.client.row() + ", " + this.client.environment().pending() + " timers";
	}

	private void beginRelease(@Nullable AcquisitionTask task) {
		if (task != null && task.outcome().isDone() && task.outcome().join().handle() != null) {
			var released = Objects.requireNonNull(task.outcome().join().handle()).beginRelease(ReleaseRequest.create());
			deliver();
			released.join();
		}
	}

	private static String told(@Nullable AcquisitionTask task) {
		if (task == null) {
			return "nobody";
		}
		if (!task.outcome().isDone()) {
			return "not told";
		}
		AcquisitionTask.Outcome told = task.outcome().join();
		String handle = (told.handle() == null) ? "" : told.handle().isHeld() ? " in hand" : " not in hand";
		return ((told.end() instanceof Step.Granted) ? "granted" : "refused") + handle
				+ (task.settled().isDone() ? "" : " unsettled");
	}

}

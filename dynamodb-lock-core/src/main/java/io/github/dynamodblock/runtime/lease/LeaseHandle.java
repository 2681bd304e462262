/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.Ending;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.protocol.lease.Renewals;
import io.github.dynamodblock.runtime.call.CallerLane;
import io.github.dynamodblock.runtime.shared.ClientState;
import io.github.dynamodblock.runtime.shared.ListenerDispatcher;
import io.github.dynamodblock.runtime.shared.LockLog;
import io.github.dynamodblock.store.ItemTransaction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

public final class LeaseHandle implements HeldLock {

	private static final Duration LONGEST_CALL = Duration.ofNanos(Step.Call.LONGEST_NANOS);

	private final LockKey key;

	private final ClientState client;

	private final LeaseRunner lease;

	private final Duration acquisitionTime;

	public LeaseHandle(Lease granted, Duration acquisitionTime, boolean hasTurn, ClientState client,
			ListenerDispatcher.Notifications notifications) {
		this.key = granted.renewals().key();
		this.client = client;
		this.acquisitionTime = acquisitionTime;
		this.lease = new LeaseRunner(granted, this, hasTurn, client, notifications);
	}

	public LeaseRunner runner() {
		return this.lease;
	}

	/**
	 * Starts to release the lock.
	 * @return the outcome; fails if it stays unknown
	 */
	public CompletableFuture<ReleaseOutcome> beginRelease(ReleaseRequest request) {
		return beginRelease(request, this.client.environment().callersContext());
	}

	public CompletableFuture<ReleaseOutcome> beginRelease(ReleaseRequest request, Executor thread) {
		checkChange(request.change());
		return this.lease.release(request, thread);
	}

	private CallerLane lane() {
		return new CallerLane(this.client.environment());
	}

	public void discard() {
		this.lease.discard();
	}

	/** Returns the lease without reading the clock. */
	public Lease last() {
		return this.lease.last();
	}

	@Override
	public LockKey key() {
		return this.key;
	}

	@Override
	public Optional<String> name() {
		return last().request().name();
	}

	@Override
	public long fencingToken() {
		return last().renewals().fencingToken();
	}

	@Override
	public boolean isHeld() {
		return this.lease.present().isHeld();
	}

	@Override
	public boolean isContended() {
		return last().isContended();
	}

	@Override
	public boolean isExpiring() {
		return isHeld() && last().isExpiring();
	}

	@Override
	public boolean isAutomaticallyRenewed() {
		return last().request().automaticRenewal();
	}

	@Override
	public Duration remaining() {
		// Read before the clock, because a renewal after the clock reading must not
		// count.
		long lostAt = last().lostAt();
		ClockReading now = this.client.environment().now();
		return this.lease.at(now).isHeld() ? Duration.ofNanos(Math.max(0, lostAt - now.holderNanos())) : Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		ensureHeld(this.lease.present());
	}

	private void ensureHeld(Lease lease) {
		LossReason lossReason = lease.lossReason();
		if (lossReason != null) {
			throw new LockLostException(this.key, lossReason, fencingToken());
		}
		if (!lease.isHeld()) {
			throw new IllegalStateException("Lock '" + this.key + "' was "
					+ (lease.isDetached() ? "detached from" : "released by") + " this handle");
		}
	}

	@Override
	public Optional<LossReason> lossReason() {
		return Optional.ofNullable(this.lease.present().lossReason());
	}

	@Override
	public LockRecord record() {
		return last().renewals().record();
	}

	@Override
	public Duration acquisitionTime() {
		return this.acquisitionTime;
	}

	@Override
	public void renew(RenewRequest request) throws InterruptedException {
		ensureHeld();
		checkChange(request.change());
		CallerLane.ensureNotInterrupted();
		try (CallerLane lane = lane()) {
			lane.await(demand(request, lane));
		}
		ensureHeld(last());
	}

	@Override
	public CompletableFuture<Void> renewAsync(RenewRequest request) {
		checkChange(request.change());
		CompletableFuture<Lease> renewed = isHeld() ? demand(request) : CompletableFuture.completedFuture(last());
		return on(new CompletableFuture<Void>().defaultExecutor(), renewed.thenAccept((lease) -> ensureHeld()));
	}

	public CompletableFuture<Lease> demand(RenewRequest request) {
		return demand(request, this.client.environment().callersContext());
	}

	/** Requests a heartbeat. The change must have been checked. */
	public CompletableFuture<Lease> demand(RenewRequest request, Executor thread) {
		return this.lease.renew(request, thread);
	}

	private void checkChange(ItemChange change) {
		// A renewal without a change works for any item.
		if (!change.isNone()) {
			Renewals lease = last().renewals();
			this.client.settings().rules().checkChange(lease.record(), change, lease.expected(change));
		}
	}

	@Override
	public TransactWriteItemsResponse transactWrite(TransactWriteItemsRequest request) throws InterruptedException {
		ItemTransaction transaction = this.client.settings().rules().transaction(this.key, request);
		ensureHeld();
		CallerLane.ensureNotInterrupted();
		Step.End end;
		try (CallerLane lane = lane()) {
			end = lane.await(this.lease.commit(transaction, lane));
		}
		if (end instanceof Step.Committed committed) {
			return (TransactWriteItemsResponse) committed.response();
		}
		if (end instanceof Step.Cancelled cancelled) {
			throw cancelled.cancellation();
		}
		if (end instanceof Step.Failed failed) {
			throw CallerLane.again(failed.failure());
		}
		// Reads the clock, because the timer may not have reported yet that the lease has
		// ended.
		ensureHeld();
		throw new IllegalStateException("The guarded write of lock '" + this.key + "' ended unexpectedly: " + end);
	}

	@Override
	public ConditionCheck conditionCheck() {
		// Not handed on from now on, because later holders would meet the condition, too.
		Lease lease = this.lease.input((held, now) -> held.guarded());
		if (lease.lossReason() == null) {
			ensureHeld(lease);
		}
		return this.client.settings().rules().conditionCheck(lease.renewals().guard());
	}

	@Override
	public LockToken detach() throws InterruptedException {
		ensureHeld();
		CallerLane.ensureNotInterrupted();
		try (CallerLane lane = lane()) {
			LockToken token = detachIfConfirmed();
			while (token == null) {
				lane.await(demand(RenewRequest.create(), lane));
				// Only after the wait, so an interrupted caller keeps the lock.
				token = detachIfConfirmed();
			}
			return token;
		}
	}

	/**
	 * Ends this handle without releasing the lock, unless a heartbeat must be confirmed
	 * first.
	 * @return the token, or {@code null}
	 */
	public @Nullable LockToken detachIfConfirmed() {
		ensureHeld();
		Ending detached = Ending.awaited(ReleaseRequest.create(), new ResultFuture<>());
		Lease left = this.lease.input((lease, now) -> lease.detach(detached));
		if (left.endsAs(detached)) {
			return left.renewals().token();
		}
		// If the lock ended in another way, there is no heartbeat to wait for, so this
		// throws.
		ensureHeld();
		return null;
	}

	@Override
	public ReleaseOutcome release(ReleaseRequest request) {
		try (CallerLane lane = lane()) {
			if (request.waitTime().compareTo(LONGEST_CALL) < 0) {
				lane.close();
			}
			return awaitRelease(this.key, lane, beginRelease(request, lane), request.waitTime());
		}
		catch (LockStoreException ex) {
			return lostUnless(ex);
		}
	}

	@Override
	public CompletableFuture<ReleaseOutcome> releaseAsync(ReleaseRequest request, Executor executor) {
		return on(executor, beginRelease(request).exceptionally((problem) -> {
			RuntimeException failure = (RuntimeException) cause(problem);
			if (failure instanceof LockStoreException unconfirmed) {
				return lostUnless(unconfirmed);
			}
			throw failure;
		}));
	}

	/** Returns {@code LOST} instead of the failure of a release if the lock was lost. */
	private ReleaseOutcome lostUnless(LockStoreException failure) {
		if (last().lossReason() == null) {
			throw failure;
		}
		return ReleaseOutcome.LOST;
	}

	/**
	 * Completes a future for the application on an executor. Dependent code may block,
	 * and must not do so on a thread that renews or releases locks.
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // the dependents throw nothing
	private static <T> CompletableFuture<T> on(Executor executor, CompletableFuture<T> result) {
		CompletableFuture<T> future = new CompletableFuture<>();
		BiConsumer<@Nullable T, @Nullable Throwable> end = (value, problem) -> {
			if (problem != null) {
				future.completeExceptionally(cause(problem));
			}
			else {
				future.complete(value);
			}
		};
		// The second completion is for an executor that rejects the first.
		result.whenCompleteAsync(end, executor).whenComplete((value, problem) -> result.whenComplete(end));
		return future;
	}

	private static Throwable cause(Throwable problem) {
		Throwable cause = problem.getCause();
		return (problem instanceof CompletionException && cause != null) ? cause : problem;
	}

	/**
	 * Waits for a release, which continues after the wait time.
	 * @throws LockStoreException if the outcome is not known in time
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // the dependent throws nothing
	public static ReleaseOutcome awaitRelease(LockKey key, CallerLane lane, CompletableFuture<ReleaseOutcome> release,
			Duration waitTime) {
		Duration calling = waitTime.minus(LONGEST_CALL);
		if (calling.isNegative() || !lane.awaitUninterruptibly(release, calling)) {
			// A call that begins now could outlast the wait, so the client's threads make
			// it.
			lane.close();
			calling = calling.isNegative() ? Duration.ZERO : calling;
		}
		if (!lane.awaitUninterruptibly(release, waitTime.minus(calling))) {
			release.whenComplete((outcome, problem) -> {
				if (problem != null) {
					LockLog.unreleased(key, problem);
				}
			});
			throw new LockStoreException("The release of lock '" + key + "' was not confirmed within "
					+ LogText.of(waitTime)
					+ "; it continues in the background. Unless it succeeds, the lock expires one lease after its "
					+ "last heartbeat", null);
		}
		return lane.awaitUninterruptibly(release);
	}

	@Override
	public void close() {
		try {
			release();
		}
		catch (LockException ex) {
			LockLog.unreleased(this.key, ex);
		}
	}

	@Override
	public String toString() {
		return "HeldLock[key=" + this.key + ", fencingToken=" + fencingToken() + ", held=" + last().isHeld() + "]";
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * A lock that was granted to this process. The handle owns the lock, not the thread: any
 * thread may use it. Heartbeats renew it until it is released or lost. Thread-safe.
 *
 * <pre>{@code
 * try (HeldLock lock = client.acquire("orders-42")) {
 *     write(order, lock.fencingToken());
 * }
 * }</pre>
 *
 * <p>
 * <b>Exceptions.</b> Methods that need the lock throw {@link LockLostException} if it is
 * lost before or during the call, and {@link IllegalStateException} if this handle was
 * released or detached. A release or a transaction throws
 * {@link LockClientClosedException} if the client is closed meanwhile. If the thread is
 * {@linkplain LockClient interrupted}, the lock stays held. A change that names an
 * attribute of the lock itself, or makes the item larger than DynamoDB allows, is
 * rejected with {@link IllegalArgumentException} before anything is sent.
 */
public interface HeldLock extends AutoCloseable {

	LockKey key();

	/**
	 * {@return the name of this kind of lock in metrics and lists, or empty if the
	 * request that acquired it had none}
	 */
	Optional<String> name();

	/**
	 * Returns the fencing token. Each new owner of the lock, or of this slot of a
	 * semaphore, gets a greater number than all owners before it, as long as the lock's
	 * item exists. The numbers are not consecutive. Store the token with the data that
	 * the lock guards, and reject writes with a smaller one. A holder that has not
	 * noticed its loss then cannot overwrite the data.
	 * @return the token; it never changes and stays readable after release and loss
	 */
	long fencingToken();

	/**
	 * {@return whether the lock is held now} No other client can then hold it, under the
	 * assumptions that the documentation lists. Once {@code false}, it stays so.
	 */
	boolean isHeld();

	/**
	 * {@return whether the lock is held but will be lost soon, because its heartbeats
	 * have failed for some time, or because it is not renewed automatically and its lease
	 * is near its end} {@link LockListener#onExpiring} reports the same.
	 */
	boolean isExpiring();

	/**
	 * {@return whether another client has been seen waiting for the lock since it was
	 * acquired} A client that waits for half a second or longer leaves a mark in the
	 * lock's item. The grant or the next heartbeat reads it, so that a long-running
	 * holder can release the lock early. Waiting threads of the same client leave no
	 * mark, and neither do other kinds of lock clients.
	 */
	boolean isContended();

	/**
	 * {@return whether heartbeats in the background renew the lock}
	 */
	boolean isAutomaticallyRenewed();

	/**
	 * {@return how long the lock stays held if no further heartbeat succeeds and
	 * {@link LockRequest#holdAtMost} does not end it earlier; zero if it is not held}
	 */
	Duration remaining();

	/**
	 * Does nothing while the lock is held; otherwise throws {@link LockLostException}, or
	 * {@link IllegalStateException} if this handle was released or detached.
	 */
	void ensureHeld();

	/**
	 * {@return why the lock was lost, or empty if it was not lost}
	 */
	Optional<LossReason> lossReason();

	/**
	 * {@return the lock's record as this handle knows it, without a call}
	 */
	LockRecord record();

	/**
	 * {@return how long the acquisition took, from the request to the grant}
	 */
	Duration acquisitionTime();

	/**
	 * Sends a heartbeat now and returns when it is confirmed. The lock is then held for a
	 * whole lease, counted from when the heartbeat was sent, minus the
	 * {@linkplain LockClientBuilder#clockRateTolerance clock rate tolerance}. With
	 * background heartbeats, call it only before a step that needs a known remaining
	 * time.
	 * @throws LockStoreException if DynamoDB rejected the heartbeat; the lock stays held
	 * until its lease ends
	 */
	default void renew() throws InterruptedException {
		renew(RenewRequest.create());
	}

	/**
	 * Sends a heartbeat now that also changes the lease, the data or the application's
	 * attributes, and returns when it is confirmed. A shorter lease applies as soon as it
	 * is sent, a longer one only when it is confirmed. If DynamoDB rejects the heartbeat,
	 * the item stays as it was, but later heartbeats still request the new lease.
	 * @throws InterruptedException if the thread is interrupted while it waits; the lock
	 * stays held, and the change may still be made
	 */
	void renew(RenewRequest request) throws InterruptedException;

	/** As {@link #renewAsync(RenewRequest)}, without a change. */
	default CompletableFuture<Void> renewAsync() {
		return renewAsync(RenewRequest.create());
	}

	/**
	 * As {@link #renew(RenewRequest)}, without waiting. Cancelling the future does not
	 * stop the heartbeat.
	 * @return completed when the heartbeat is confirmed, on the default executor of
	 * {@link CompletableFuture}; it fails with the exceptions that
	 * {@link #renew(RenewRequest)} throws
	 */
	CompletableFuture<Void> renewAsync(RenewRequest request);

	/**
	 * As {@link #transactWrite(TransactWriteItemsRequest)}, with these items.
	 * @param items what to write, 1 to 99 items, such as those of the Enhanced Client's
	 * {@code TransactWriteItemsEnhancedRequest}
	 */
	default TransactWriteItemsResponse transactWrite(Collection<TransactWriteItem> items) throws InterruptedException {
		return transactWrite(TransactWriteItemsRequest.builder().transactItems(items).build());
	}

	/**
	 * Writes items in one transaction that commits only while this handle holds the lock,
	 * regardless of clocks and pauses. The items must be in the region and account of the
	 * lock table. Adds a condition on the lock's item to the transaction. After a
	 * conflict, a throttled call or a lost response, repeats the transaction while the
	 * lock is held, for at most one lease or 5 minutes, whichever is shorter. A client
	 * request token ensures that it commits once. Heartbeats wait while the transaction
	 * is in progress.
	 *
	 * <pre>{@code
	 * lock.transactWrite(List.of(TransactWriteItem.builder().put(packed).build()));
	 * }</pre>
	 * @param request what to write, 1 to 99 items and up to 4 MB, and options such as
	 * {@code returnConsumedCapacity}
	 * @throws TransactionCanceledException if a condition of the items does not hold,
	 * with the reasons in the order of the items; nothing was written
	 * @throws LockLostException if the lock is lost; nothing was written
	 * @throws LockStoreException if DynamoDB refused the transaction, as it does on
	 * global tables with multi-region strong consistency, or if it is unknown whether it
	 * was committed
	 * @throws LockClientClosedException if the client is closed meanwhile; the write may
	 * have been committed
	 * @throws IllegalArgumentException if there are too many or too large items, or one
	 * of them is the lock's own item; nothing is sent
	 * @throws InterruptedException if the thread is interrupted while it waits; the write
	 * may still be committed
	 */
	TransactWriteItemsResponse transactWrite(TransactWriteItemsRequest request) throws InterruptedException;

	/**
	 * Returns the condition that {@link #transactWrite} adds, for use in a transaction
	 * that the application sends itself. The condition is true until the lock is released
	 * or acquired by another owner, even after the lease has ended. A concurrent
	 * heartbeat can cancel the transaction, and so can the mark of a waiting client.
	 * Retry it then.
	 * @return the condition on the lock's item, even if the lock is lost
	 * @throws IllegalStateException if this handle has released or detached the lock
	 */
	ConditionCheck conditionCheck();

	/**
	 * Ends this handle without releasing the lock, and returns the token with which any
	 * process can continue: {@link LockClient#adopt}, {@link LockClient#renew(LockToken)}
	 * or {@link LockClient#release(LockToken)}. Heartbeats stop, so the lock expires
	 * after one lease. Makes no call unless a heartbeat is unconfirmed; it then waits
	 * until one is confirmed. {@link LockRequest#holdAtLeast} no longer applies.
	 * @throws LockStoreException if DynamoDB rejected a heartbeat that had to be sent
	 */
	LockToken detach() throws InterruptedException;

	/**
	 * Releases the lock. If this returns {@link ReleaseOutcome#RELEASED}, the lock is
	 * free, or the client has handed it on, without a call, to its next waiting
	 * acquisition. May be called at any time and any number of times: it never releases
	 * another owner's lock. Waits up to 10 seconds for DynamoDB's answer. Afterwards the
	 * client retries in the background until the lease has ended or 10 seconds have
	 * passed, whichever is later.
	 * @throws LockStoreException if DynamoDB rejected the release or gave no usable
	 * answer in that time. The lock is free at the latest one lease after its last
	 * heartbeat. Another call tries again.
	 */
	default ReleaseOutcome release() {
		return release(ReleaseRequest.create());
	}

	/**
	 * As {@link #release()}, with the request's options. Its wait time replaces the 10
	 * seconds. If the change is rejected, the lock stays held.
	 */
	ReleaseOutcome release(ReleaseRequest request);

	/** As {@link #releaseAsync(ReleaseRequest)}, with default options. */
	default CompletableFuture<ReleaseOutcome> releaseAsync() {
		return releaseAsync(ReleaseRequest.create());
	}

	/**
	 * As {@link #releaseAsync(ReleaseRequest, Executor)}, on
	 * {@link CompletableFuture#defaultExecutor()}, which usually is the common pool.
	 */
	default CompletableFuture<ReleaseOutcome> releaseAsync(ReleaseRequest request) {
		return releaseAsync(request, new CompletableFuture<Void>().defaultExecutor());
	}

	/**
	 * Begins to release the lock, with the request's options, without waiting. The client
	 * retries until the lease has ended or 10 seconds have passed, whichever is later.
	 * The request's wait time does not apply. Cancelling the future does not stop the
	 * release.
	 * @param executor the executor on which the future completes and its dependent stages
	 * run; if it rejects the task, they run on a thread of the client. A stage that
	 * blocks that thread delays the renewals and releases of other locks
	 * @return what happened; it fails with the exceptions that
	 * {@link #release(ReleaseRequest)} throws
	 */
	CompletableFuture<ReleaseOutcome> releaseAsync(ReleaseRequest request, Executor executor);

	/**
	 * Like {@link #release()}, but a failure is logged instead of thrown, so that it
	 * cannot replace the result or the exception of the guarded block.
	 */
	@Override
	void close();

}

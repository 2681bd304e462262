/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Optional;

/**
 * A lock that was granted to this process. The handle owns the lock, not the thread: any
 * thread may use it. Heartbeats keep it until it is released or lost. Thread-safe.
 *
 * <pre>{@code
 * try (HeldLock lock = client.acquire("orders-42")) {
 *     write(order, lock.fencingToken());
 * }
 * }</pre>
 */
public interface HeldLock extends AutoCloseable {

	/**
	 * Which lock this is.
	 * @return the key
	 */
	LockKey key();

	/**
	 * What metrics and lists call this kind of lock.
	 * @return the name of the request that acquired it, or empty if that had none
	 */
	Optional<String> name();

	/**
	 * A number that is greater than that of every earlier owner of this lock. Store it
	 * with what the lock guards, and refuse a write that comes with a smaller one: so a
	 * holder that lost the lock without noticing does no harm.
	 * @return the token; it never changes and stays readable after release and loss
	 */
	long fencingToken();

	/**
	 * Whether the lock is held now. Once {@code false}, it stays so.
	 * @return {@code true} if no other client can hold the lock at this moment, as long
	 * as the assumptions of the documentation hold
	 */
	boolean isHeld();

	/**
	 * Whether the lock is held, but will be lost soon, as {@link LockListener#onExpiring}
	 * says: its heartbeats have failed for long, or it is not renewed automatically and
	 * its lease is near its end.
	 * @return whether it is; {@code false} if the lock is not held
	 */
	boolean isExpiring();

	/**
	 * Whether heartbeats in the background keep the lock.
	 * @return whether the request that acquired it asked for them
	 */
	boolean isAutomaticallyRenewed();

	/**
	 * How long the lock would still be held if no further heartbeat came through, or
	 * until its {@link LockRequest#holdAtMost} if that is sooner.
	 * @return the time; zero if the lock is not held
	 */
	Duration remaining();

	/**
	 * Does nothing while the lock is held.
	 * @throws LockLostException if it was lost
	 * @throws IllegalStateException if this handle was released or detached
	 */
	void ensureHeld();

	/**
	 * Why the lock was lost.
	 * @return the reason, or empty if it was not lost
	 */
	Optional<LossReason> lossReason();

	/**
	 * The lock's record as this handle knows it, without a call.
	 * @return the record
	 */
	LockRecord record();

	/**
	 * How long the acquisition took, from the request to the grant.
	 * @return the time, waiting included
	 */
	Duration acquisitionTime();

	/**
	 * Sends a heartbeat now and returns when it was confirmed: from then on the lock is
	 * held for a whole lease, less what clocks may differ by, from the moment at which
	 * the heartbeat was sent. Background heartbeats make this call unnecessary, except
	 * before a step that needs a known remaining time.
	 * @throws LockLostException if the lock is lost, also while this call waits
	 * @throws LockStoreException if DynamoDB refused the heartbeat; the lock stays held
	 * until its lease ends
	 * @throws IllegalStateException if this handle was released or detached
	 * @throws InterruptedException if the thread is interrupted while it waits; the lock
	 * stays held
	 */
	default void renew() throws InterruptedException {
		renew(RenewRequest.create());
	}

	/**
	 * Sends a heartbeat now that also changes the lease or the application's part of the
	 * lock's item, and returns when it was confirmed. A shorter lease counts from the
	 * moment at which it is sent, a longer one once it is confirmed. If the heartbeat is
	 * refused, the item stays as it was, but later heartbeats ask for the new lease.
	 * @param request what to change
	 * @throws LockLostException if the lock is lost, also while this call waits
	 * @throws LockStoreException if DynamoDB refused the heartbeat; the lock stays held
	 * until its lease ends, with its data as it was
	 * @throws IllegalStateException if this handle was released or detached
	 * @throws IllegalArgumentException if the change names an attribute of the lock
	 * itself, or makes the item larger than DynamoDB allows
	 * @throws InterruptedException if the thread is interrupted while it waits; the lock
	 * stays held, and the change may yet be made
	 */
	void renew(RenewRequest request) throws InterruptedException;

	/**
	 * Ends this handle without releasing the lock, and gives the token with which any
	 * process can go on: {@link LockClient#adopt}, {@link LockClient#renew(LockToken)} or
	 * {@link LockClient#release(LockToken)}. Heartbeats stop, so that one lease is left.
	 * Sends nothing unless a heartbeat is not confirmed; then it waits for one. A time to
	 * be held at least is given up.
	 * @return the token
	 * @throws LockLostException if the lock is lost, also while this call waits
	 * @throws LockStoreException if DynamoDB refused a heartbeat that had to be sent
	 * @throws IllegalStateException if this handle was released or detached
	 * @throws InterruptedException if the thread is interrupted while it waits; the lock
	 * stays held by this handle
	 */
	LockToken detach() throws InterruptedException;

	/**
	 * Gives the lock back. It is free when this returns {@link ReleaseOutcome#RELEASED}.
	 * Safe to call at any time and any number of times: it never frees another owner's
	 * lock. An interrupt does not stop it; the thread's interrupt flag is kept. It waits
	 * up to 10 seconds for DynamoDB's answer; afterwards the client goes on trying in the
	 * background until the lease has ended, and for 10 seconds at least.
	 * @return what happened
	 * @throws LockStoreException if DynamoDB refused the release or gave no usable answer
	 * in that time; the lock is free at the latest one lease after its last heartbeat,
	 * and a further call tries again
	 * @throws LockClientClosedException if the client is closed meanwhile
	 */
	default ReleaseOutcome release() {
		return release(ReleaseRequest.create());
	}

	/**
	 * Gives the lock back, as the request says.
	 * @param request how to release it
	 * @return what happened
	 * @throws LockStoreException if DynamoDB refused the release or gave no usable answer
	 * in the request's time, unless it is a best effort
	 * @throws LockClientClosedException if the client is closed meanwhile
	 * @throws IllegalArgumentException if the change names an attribute of the lock
	 * itself, or makes the item larger than DynamoDB allows; the lock stays held
	 * @see #release()
	 */
	ReleaseOutcome release(ReleaseRequest request);

	/**
	 * Like {@link #release()}, but a failure is logged instead of thrown, so that it
	 * cannot replace the result or the exception of the guarded block.
	 */
	@Override
	void close();

}

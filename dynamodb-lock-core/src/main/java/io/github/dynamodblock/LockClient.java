/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Grants locks that at most one client in the world holds at a time, each one an item of
 * a DynamoDB table. Thread-safe; one client serves a whole application.
 *
 * <pre>{@code
 * LockClient client = LockClient.builder(dynamoDbClient).tableName("locks").build();
 * try (HeldLock lock = client.acquire("orders-42")) {
 *     fulfil(order);
 * }
 * }</pre>
 *
 * <p>
 * Not promised: that something happens exactly once, and fairness between clients. A
 * holder whose process stands still longer than its lease loses the lock and learns of it
 * only afterwards; {@link HeldLock#fencingToken()} is what guards against that.
 */
public interface LockClient extends AutoCloseable {

	/**
	 * Starts to build a client.
	 * @param dynamoDbClient the SDK's client; it stays the caller's and is not closed
	 * with the lock client. Its configuration is not changed: time limits are set per
	 * request.
	 * @return the builder
	 */
	static LockClientBuilder builder(DynamoDbClient dynamoDbClient) {
		return new LockClientBuilder(dynamoDbClient);
	}

	/**
	 * Acquires a lock, waiting for it as long as the client's wait time.
	 * @param key the partition key of the lock, for a table without a sort key
	 * @return the lock, held
	 * @throws LockNotGrantedException if others held it all that time; it says who
	 * @throws LockStoreException if DynamoDB refused or did not answer
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed, also while waiting
	 * @throws IllegalArgumentException if the key is not valid
	 * @throws InterruptedException if the thread is interrupted; nothing stays locked
	 * longer than one lease
	 */
	default HeldLock acquire(String key) throws InterruptedException {
		return acquire(LockRequest.of(key));
	}

	/**
	 * Acquires a lock, waiting for it as long as the request says, or else the client's
	 * wait time.
	 * @param request what to acquire and how
	 * @return the lock, held
	 * @throws LockNotGrantedException if others held it all that time; it says who
	 * @throws LockStoreException if DynamoDB refused or did not answer
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed, also while waiting
	 * @throws IllegalArgumentException if the request does not fit the client's settings
	 * @throws InterruptedException if the thread is interrupted; nothing stays locked
	 * longer than one lease
	 */
	HeldLock acquire(LockRequest request) throws InterruptedException;

	/**
	 * Makes one attempt to acquire a lock, without waiting for others.
	 * @param key the partition key of the lock, for a table without a sort key
	 * @return the lock, held; empty if somebody else holds it
	 * @throws LockStoreException if DynamoDB refused or did not answer
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed
	 * @throws IllegalArgumentException if the key is not valid
	 * @throws InterruptedException if the thread is interrupted; nothing stays locked
	 * longer than one lease
	 */
	default Optional<HeldLock> tryAcquire(String key) throws InterruptedException {
		return tryAcquire(LockRequest.of(key));
	}

	/**
	 * Tries to acquire a lock, waiting for it as long as the request says; a request
	 * without a wait time makes one attempt.
	 * @param request what to acquire and how
	 * @return the lock, held; empty if others held it all that time, or if it has no item
	 * and the request is {@linkplain LockRequest#onlyIfItemExists() only for a lock that
	 * has one}
	 * @throws LockStoreException if DynamoDB refused or did not answer
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed, also while waiting
	 * @throws IllegalArgumentException if the request does not fit the client's settings
	 * @throws InterruptedException if the thread is interrupted; nothing stays locked
	 * longer than one lease
	 */
	Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException;

	/**
	 * Begins to acquire a lock and returns at once. Cancelling the future that this
	 * method returned, or completing it in another way (as {@code orTimeout} does), gives
	 * the acquisition up: what was granted all the same is released. Cancelling a future
	 * that hangs on it does not: the lock would be granted, and nobody would release it.
	 * @param request what to acquire and how
	 * @param executor where the future is completed, and what hangs on it runs unless
	 * told otherwise; a lock that it refuses to hand over is released. One that runs
	 * tasks on the calling thread lets them delay the heartbeats of other locks.
	 * @return the lock, held, once it is granted; it fails as {@link #acquire} does
	 * @throws LockClientClosedException if the client is closed
	 * @throws IllegalArgumentException if the request does not fit the client's settings
	 */
	CompletableFuture<HeldLock> acquireAsync(LockRequest request, Executor executor);

	/**
	 * Reads a lock, whoever holds it, by one strongly consistent read; takes nothing.
	 * @param key the partition key of the lock, for a table without a sort key
	 * @return the lock's record, which may be that of a released lock; empty if the lock
	 * was never taken or its item was deleted
	 * @throws LockStoreException if DynamoDB refused or did not answer
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed
	 */
	default Optional<LockRecord> find(String key) {
		return find(LockKey.of(key));
	}

	/**
	 * Reads a lock, whoever holds it, by one strongly consistent read; takes nothing.
	 * @param key the lock's key
	 * @return the lock's record, which may be that of a released lock; empty if the lock
	 * was never taken or its item was deleted
	 * @throws LockStoreException if DynamoDB refused or did not answer
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed
	 */
	Optional<LockRecord> find(LockKey key);

	/**
	 * Whether a handle of this client holds a lock now; no call is made. {@code false}
	 * once the client is closed.
	 * @param key the lock's key
	 * @return whether one does
	 */
	boolean holds(LockKey key);

	/**
	 * The locks that handles of this client hold now; no call is made. A lock that was
	 * given back and is kept a while longer ({@link LockRequest#holdAtLeast}) is not one
	 * of them.
	 * @return a snapshot, in no order; empty once the client is closed
	 */
	List<HeldLock> held();

	/**
	 * The acquisitions of this client that wait now, because somebody else holds the lock
	 * or is before them in line; no call is made. What has only just been asked of
	 * DynamoDB does not wait in this sense.
	 * @return a snapshot, in the order in which they began; empty once the client is
	 * closed
	 */
	List<WaitingAcquisition> waiting();

	/**
	 * Continues with a lock that was detached: one write gives it to this client, with
	 * heartbeats and a new fencing token. The token is used up, and guarded writes with
	 * the old fencing token are refused from then on.
	 * @param token the newest token of the lock
	 * @return the lock, held
	 * @throws LockLostException if the lock was released, lost or taken since, or the
	 * token is not the newest
	 * @throws LockStoreException if DynamoDB refused or did not answer
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed
	 * @throws InterruptedException if the thread is interrupted; nothing stays locked
	 * longer than one lease
	 */
	default HeldLock adopt(LockToken token) throws InterruptedException {
		return adopt(token, LockRequest.of(token.key()).leaseDuration(token.leaseDuration()).change(ItemChange.none()));
	}

	/**
	 * Continues with a lock that was detached, as a request says.
	 * @param token the newest token of the lock
	 * @param request how to hold the lock from now on; its wait time and
	 * {@link LockRequest#onlyIfItemExists()} have no meaning here
	 * @return the lock, held
	 * @throws IllegalArgumentException if the request is for another key or does not fit
	 * the client's settings
	 * @throws LockLostException if the lock was released, lost or taken since, or the
	 * token is not the newest
	 * @throws InterruptedException if the thread is interrupted; nothing stays locked
	 * longer than one lease
	 * @see #adopt(LockToken)
	 */
	HeldLock adopt(LockToken token, LockRequest request) throws InterruptedException;

	/**
	 * Renews a detached lock for its lease, without a handle: one write.
	 * @param token the newest token of the lock, which is used up
	 * @return the token that is good from now on, with the same fencing token
	 * @throws LockLostException if the lock was released, lost or taken since, or the
	 * token is not the newest
	 * @throws LockStoreException if DynamoDB refused, or did not answer within the lease
	 * or 10 seconds
	 * @throws LockTableException if the table is missing or unfit
	 * @throws LockClientClosedException if the client is closed
	 */
	default LockToken renew(LockToken token) {
		return renew(token, RenewRequest.create());
	}

	/**
	 * Renews a detached lock, and changes its lease or the application's part of its
	 * item.
	 * @param token the newest token of the lock, which is used up
	 * @param request what to change; attributes cannot be replaced as a whole, since
	 * nobody has read them
	 * @return the token that is good from now on, with the same fencing token
	 * @throws IllegalArgumentException if the change names an attribute of the lock
	 * itself, replaces all attributes, or is larger than DynamoDB allows
	 * @throws LockLostException if the lock was released, lost or taken since, or the
	 * token is not the newest
	 * @see #renew(LockToken)
	 */
	LockToken renew(LockToken token, RenewRequest request);

	/**
	 * Releases a detached lock: one write.
	 * @param token the newest token of the lock
	 * @return {@link ReleaseOutcome#RELEASED}, {@link ReleaseOutcome#ALREADY_FREE} or
	 * {@link ReleaseOutcome#HELD_BY_ANOTHER}
	 * @throws LockStoreException if DynamoDB refused, or did not answer within the lease
	 * or 10 seconds
	 * @throws LockTableException if the table is missing or unfit
	 * @throws LockClientClosedException if the client is closed
	 */
	ReleaseOutcome release(LockToken token);

	/**
	 * Frees a lock that somebody else holds: one write, for administrators. The holder
	 * learns of it by its next heartbeat ({@link LossReason#RELEASED_BY_ADMINISTRATOR},
	 * or {@link LossReason#ITEM_MISSING} if this client's releases delete the item);
	 * until then both it and the next owner may believe to hold the lock, so that only
	 * fencing tokens protect.
	 * @param key the lock
	 * @param expectedOwner the owner name that the lock must have, as
	 * {@link LockRecord#ownerName()} gave it
	 * @return {@link ReleaseOutcome#RELEASED}, {@link ReleaseOutcome#ALREADY_FREE} or
	 * {@link ReleaseOutcome#HELD_BY_ANOTHER}
	 * @throws LockStoreException if DynamoDB refused, or did not answer within 10 seconds
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed
	 */
	ReleaseOutcome forceRelease(LockKey key, String expectedOwner);

	/**
	 * Lists all locks of this client's namespace, or of the table if it has none. Reads
	 * the whole table, in pages of 100 items; see {@link ListRequest#all()} for what that
	 * costs, and {@link #list(ListRequest)} for the rest.
	 * @return the locks, held and released, in no order
	 * @throws LockClientClosedException if the client is closed
	 */
	default Stream<LockRecord> list() {
		return list(ListRequest.all());
	}

	/**
	 * Lists the locks of one partition. Reads only these, in pages of 100 items; see
	 * {@link #list(ListRequest)}.
	 * @param partition the partition key of the locks, without the client's namespace
	 * @return the locks, held and released, in the order of their sort keys; in a table
	 * without a sort key, one at most
	 * @throws LockClientClosedException if the client is closed
	 * @throws IllegalArgumentException if the partition is not valid
	 */
	default Stream<LockRecord> listPartition(String partition) {
		return list(ListRequest.partition(partition));
	}

	/**
	 * Lists locks, whoever holds them; takes nothing. Released locks that the table has
	 * kept are listed too: {@link LockRecord#isReleased()} says so. Rows that are not
	 * locks are told to {@link ListRequest#onNotALock} and skipped.
	 *
	 * <pre>{@code
	 * List<LockRecord> held = client.list(ListRequest.partition("orders"))
	 *     .filter((lock) -> !lock.isReleased())
	 *     .toList();
	 * }</pre>
	 *
	 * <p>
	 * Nothing is read until the stream is. It then reads one page at a time, each when
	 * its first lock is asked for, so that {@code limit} and {@code findFirst} stop the
	 * reading too. The stream is sequential, holds nothing that must be closed, and shows
	 * no single moment: locks can change while it is read. A page that is not answered
	 * within 5 seconds has failed; until then, the SDK repeats what was throttled. An
	 * interrupt does not end the reading; the thread's interrupt flag is kept.
	 *
	 * <p>
	 * When a page cannot be read, the stream's terminal operation throws: a
	 * {@link LockStoreException} if DynamoDB refused or did not answer, a
	 * {@link LockTableException} if the table is missing or unfit, and a
	 * {@link LockClientClosedException} if the client was closed meanwhile.
	 * @param request which locks, and how to read them
	 * @return the locks; to be read once, by one thread at a time
	 * @throws LockClientClosedException if the client is closed
	 * @throws IllegalArgumentException if the partition and the client's namespace are
	 * too long together
	 */
	Stream<LockRecord> list(ListRequest request);

	/**
	 * How long an acquisition waits for others whose request does not say.
	 * @return the wait time; zero means one attempt
	 */
	Duration waitTime();

	/**
	 * The name under which this client holds locks: the configured one and a suffix that
	 * is unique to this client instance.
	 * @return the owner name
	 */
	String ownerName();

	/**
	 * The table in which this client keeps its locks.
	 * @return its name or ARN, as configured
	 */
	String tableName();

	/**
	 * Ends waiting callers with {@link LockClientClosedException}, releases every held
	 * lock and stops all threads of the client. Locks that are still held are told lost
	 * first, with {@link LossReason#CLOSED}; a lock to be held longer
	 * ({@link LockRequest#holdAtLeast}) is left in the table with the rest of that time
	 * as its lease. What cannot be released, because DynamoDB does not answer, is logged
	 * and frees itself within a lease. Waits for DynamoDB for at most 10 seconds and 10
	 * ms for each held lock, also to settle writes that were not answered, and then some
	 * seconds at most for listeners that block. Idempotent; an interrupt does not stop
	 * it; the thread's interrupt flag is kept.
	 */
	@Override
	void close();

	/**
	 * Like {@link #close()}, but held locks are not released: they stay in the table
	 * until their leases end. For a process whose locks are to protect what it left half
	 * done for one more lease. Releasing is the default, since otherwise every restart of
	 * an application would keep others waiting for a lease.
	 */
	void closeWithoutReleasing();

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Optional;

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
	 * @return the lock, held; empty if others held it all that time
	 * @throws LockStoreException if DynamoDB refused or did not answer
	 * @throws LockTableException if the table is missing or unfit, or the item is no lock
	 * @throws LockClientClosedException if the client is closed, also while waiting
	 * @throws IllegalArgumentException if the request does not fit the client's settings
	 * @throws InterruptedException if the thread is interrupted; nothing stays locked
	 * longer than one lease
	 */
	Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException;

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
	 * The name under which this client holds locks: the configured one and a suffix that
	 * is unique to this client instance.
	 * @return the owner name
	 */
	String ownerName();

	/**
	 * Ends waiting callers with {@link LockClientClosedException}, releases every held
	 * lock and stops all threads of the client. Locks that are still held are told lost
	 * first, with {@link LossReason#CLOSED}; a lock to be held longer
	 * ({@link LockRequest#holdAtLeast}) is left in the table with the rest of that time
	 * as its lease. What cannot be released, because DynamoDB does not answer, is logged
	 * and frees itself within a lease. Idempotent; an interrupt does not stop it; the
	 * thread's interrupt flag is kept.
	 */
	@Override
	void close();

}

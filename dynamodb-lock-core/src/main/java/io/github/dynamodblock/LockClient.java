/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Acquires, releases and inspects distributed locks, each of which is one item of a
 * DynamoDB table. At most one owner holds a lock at a time, or as many owners as the
 * request has {@linkplain LockRequest#permits permits}. Thread-safe; one client serves a
 * whole application.
 *
 * <pre>{@code
 * LockClient client = LockClient.builder(dynamoDbClient).tableName("locks").build();
 * try (HeldLock lock = client.acquire("orders-42")) {
 *     fulfil(order);
 * }
 * }</pre>
 *
 * <p>
 * <b>Not guaranteed:</b> exactly-once execution, and fairness between clients. A holder
 * whose process is paused for longer than its lease loses the lock and detects the loss
 * only afterwards. To reject its late writes, use {@link HeldLock#fencingToken()}.
 *
 * <p>
 * <b>Exceptions.</b> Unless a method says otherwise, every method that calls DynamoDB
 * throws {@link LockStoreException} if DynamoDB rejects a call or does not answer in
 * time, {@link LockTableException} if the table is missing or not usable or the item is
 * not a lock, and {@link LockClientClosedException} if the client is closed before or
 * during the call. A request that does not fit the client's settings is rejected with
 * {@link IllegalArgumentException} before anything is sent. No parameter may be
 * {@code null}.
 *
 * <p>
 * <b>Threads.</b> Blocking methods call DynamoDB on their caller's thread, so its trace
 * and thread locals reach the interceptors of the SDK's client. There are three
 * exceptions, for which the client's own threads make the calls: asynchronous methods,
 * releases that wait for less than 5 s, and callers on {@code ForkJoinPool} workers or,
 * before JDK 24, on virtual threads. {@link LockClientBuilder#callersContext} restores
 * the caller's context there.
 *
 * <p>
 * <b>Interrupts.</b> An interrupt ends methods that declare {@link InterruptedException},
 * and no others. This also applies to {@link HeldLock} and to the streams of
 * {@link #list()}.
 * <ul>
 * <li>A method that declares it sends nothing if the thread is already interrupted.
 * Later, an interrupt ends a wait at once. During a call, it takes effect when the call
 * ends, within 5 seconds. DynamoDB may still carry out that call. If it grants the lock,
 * the client releases the lock in the background; at the latest, the lock expires after
 * one lease.</li>
 * <li>Any other method finishes its work and keeps the thread's interrupt flag. It
 * repeats a call that the SDK aborts because of the interrupt.</li>
 * <li>The SDK ends a call at its time limit by interrupting the thread. If another
 * interrupt arrives at the same time, the SDK also clears that one.</li>
 * </ul>
 *
 * <p>
 * <b>Keys.</b> A key given as text is the partition key of a lock in a table without a
 * sort key.
 */
public interface LockClient extends AutoCloseable {

	/**
	 * Creates a builder for a client.
	 * @param dynamoDbClient the SDK's client. The caller keeps ownership: the lock client
	 * neither configures nor closes it, and sets time limits per request.
	 */
	static LockClientBuilder builder(DynamoDbClient dynamoDbClient) {
		return new LockClientBuilder(dynamoDbClient);
	}

	/** As {@link #acquire(LockRequest)}, with the client's options. */
	default HeldLock acquire(String key) throws InterruptedException {
		return acquire(LockRequest.of(key));
	}

	/** As {@link #acquire(LockRequest)}, with the client's options. */
	default HeldLock acquire(LockKey key) throws InterruptedException {
		return acquire(LockRequest.of(key));
	}

	/**
	 * Acquires a lock, waiting for at most the request's wait time, or
	 * {@link #waitTime()} if the request has none.
	 * @throws LockNotGrantedException if another owner holds the lock for all of the wait
	 * time; {@link LockNotGrantedException#record()} shows it
	 * @throws ConditionNotMetException if no other owner holds the lock, and its item
	 * does not meet the request's {@linkplain LockRequest#condition condition}
	 */
	HeldLock acquire(LockRequest request) throws InterruptedException;

	/**
	 * As {@link #acquire(LockRequest)}, but ignores interrupts, for callers that cannot
	 * throw {@link InterruptedException}. An interrupted acquisition keeps its place in
	 * the queue, and the thread keeps its interrupt flag. If the interrupt aborts a call
	 * to DynamoDB, the client retries the call like any failed one.
	 */
	HeldLock acquireUninterruptibly(LockRequest request);

	/** As {@link #tryAcquire(LockRequest)}, with the client's options and one attempt. */
	default Optional<HeldLock> tryAcquire(String key) throws InterruptedException {
		return tryAcquire(LockRequest.of(key));
	}

	/** As {@link #tryAcquire(LockRequest)}, with the client's options and one attempt. */
	default Optional<HeldLock> tryAcquire(LockKey key) throws InterruptedException {
		return tryAcquire(LockRequest.of(key));
	}

	/**
	 * As {@link #tryAcquire(LockRequest)}, with the client's options and a wait time,
	 * which is not negative.
	 */
	default Optional<HeldLock> tryAcquire(String key, Duration waitTime) throws InterruptedException {
		return tryAcquire(LockRequest.of(key).waitTime(waitTime));
	}

	/**
	 * As {@link #tryAcquire(LockRequest)}, with the client's options and a wait time,
	 * which is not negative.
	 */
	default Optional<HeldLock> tryAcquire(LockKey key, Duration waitTime) throws InterruptedException {
		return tryAcquire(LockRequest.of(key).waitTime(waitTime));
	}

	/**
	 * Tries to acquire a lock within the request's wait time. A request without a wait
	 * time makes one attempt.
	 * @return the held lock. Empty if another owner holds it for all of the wait time, if
	 * it has no item and the request {@linkplain LockRequest#onlyIfItemExists() requires
	 * one}, or if its item does not meet the request's {@linkplain LockRequest#condition
	 * condition}; {@link LockListener#onAcquireFailed} receives the reason
	 */
	Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException;

	/** As {@link #acquireAsync(LockRequest)}, with the client's options. */
	default CompletableFuture<HeldLock> acquireAsync(String key) {
		return acquireAsync(LockRequest.of(key));
	}

	/** As {@link #acquireAsync(LockRequest)}, with the client's options. */
	default CompletableFuture<HeldLock> acquireAsync(LockKey key) {
		return acquireAsync(LockRequest.of(key));
	}

	/**
	 * As {@link #acquireAsync(LockRequest, Executor)}, on
	 * {@link CompletableFuture#defaultExecutor()}, which usually is the common pool.
	 */
	default CompletableFuture<HeldLock> acquireAsync(LockRequest request) {
		return acquireAsync(request, new CompletableFuture<Void>().defaultExecutor());
	}

	/**
	 * Starts to acquire a lock and returns at once.
	 *
	 * <p>
	 * To give up the acquisition, cancel the future that this method returned, or
	 * complete it in another way, as {@code orTimeout} does. If the lock is granted
	 * anyway, it is released. Cancelling a derived future does not propagate: the lock is
	 * then granted and stays held.
	 * @param executor the executor on which the future completes and its dependent stages
	 * run. If it rejects the task, the lock is released. If it runs tasks on the calling
	 * thread, a stage that blocks can delay the heartbeats of other locks, or the {@code
	 * release()} with which another thread hands this lock on.
	 * @return a future of the held lock, which fails with the exceptions of
	 * {@link #acquire(LockRequest)}
	 */
	CompletableFuture<HeldLock> acquireAsync(LockRequest request, Executor executor);

	/**
	 * As {@link #execute(LockRequest, Function)}, with the client's options.
	 *
	 * <pre>{@code
	 * String receipt = client.execute("orders-42", (lock) -> charge(order, lock.fencingToken()));
	 * }</pre>
	 */
	default <T extends @Nullable Object> T execute(String key, Function<HeldLock, T> body) throws InterruptedException {
		return execute(LockRequest.of(key), body);
	}

	/**
	 * Runs code under a lock and returns its result. The lock is released when the code
	 * returns or throws. A failed release is logged, as by {@link HeldLock#close()}: the
	 * caller receives the code's own result or exception. For code without a result, or
	 * with a checked exception, acquire the lock in a {@code try} statement.
	 * @param body the code to run. Losing the lock does not stop it.
	 * @throws LockNotGrantedException if another owner holds the lock for all of the wait
	 * time; the code does not run
	 */
	default <T extends @Nullable Object> T execute(LockRequest request, Function<HeldLock, T> body)
			throws InterruptedException {
		Objects.requireNonNull(body, "body");
		try (HeldLock lock = acquire(request)) {
			return body.apply(lock);
		}
	}

	/** As {@link #find(LockKey)}. */
	default Optional<LockRecord> find(String key) {
		return find(LockKey.of(key));
	}

	/**
	 * Reads a lock's record with strong consistency. Does not acquire the lock.
	 * @return the record, which may be that of a released lock. Empty if the lock was
	 * never acquired or its item was deleted.
	 */
	Optional<LockRecord> find(LockKey key);

	/** As {@link #holds(LockKey)}. */
	default boolean holds(String key) {
		return holds(LockKey.of(key));
	}

	/**
	 * {@return whether a handle of this client holds the lock now; {@code false} once the
	 * handle is closed, even before the release is confirmed} Makes no call. For a
	 * semaphore, pass the key of a {@linkplain LockRequest#keys() slot}.
	 */
	boolean holds(LockKey key);

	/**
	 * Returns the locks that handles of this client hold now, without a call. A lock that
	 * is kept until its {@link LockRequest#holdAtLeast} is over is not included once its
	 * handle is released.
	 * @return an unordered snapshot; empty once the client is closed
	 */
	List<HeldLock> held();

	/**
	 * Returns the acquisitions of this client that are waiting now, without a call. An
	 * acquisition waits if another owner holds the lock, or if an earlier acquisition of
	 * this client is ahead of it in the queue. During its first call, an acquisition does
	 * not count as waiting.
	 * @return a snapshot, in the order in which they began; empty once the client is
	 * closed
	 */
	List<WaitingAcquisition> waiting();

	/**
	 * Turns a detached lock into a lock that this client holds, with heartbeats and a new
	 * fencing token. Keeps its lease and data, and costs one write. Afterwards, the lock
	 * token is used up, and guarded writes with the old fencing token are rejected.
	 * @param token the newest token of the lock
	 * @throws LockLostException if the lock was released, lost or acquired by another
	 * owner since, or the token is not the newest
	 * @throws InterruptedException if the thread is interrupted; the lock is released in
	 * the background, or expires after at most one lease
	 */
	default HeldLock adopt(LockToken token) throws InterruptedException {
		return adopt(token, LockRequest.of(token.key()).leaseDuration(token.leaseDuration()).change(ItemChange.none()));
	}

	/**
	 * As {@link #adopt(LockToken)}, with the options of a request.
	 * @param request how to hold the lock from now on. Its wait time and
	 * {@link LockRequest#onlyIfItemExists()} are ignored.
	 * @throws IllegalArgumentException if the request is for another key or does not fit
	 * the client's settings
	 * @throws ConditionNotMetException if the lock's item does not meet the request's
	 * {@linkplain LockRequest#condition condition}; the token remains valid
	 */
	HeldLock adopt(LockToken token, LockRequest request) throws InterruptedException;

	/**
	 * Renews a detached lock for its lease by one write, without a handle.
	 * @param token the newest token of the lock, which is used up
	 * @return the lock's next token, with the same fencing token
	 * @throws LockLostException as {@link #adopt(LockToken)} does
	 * @throws LockStoreException if DynamoDB rejects the write, or does not answer within
	 * the lease or 10 seconds, whichever is shorter
	 */
	default LockToken renew(LockToken token) {
		return renew(token, RenewRequest.create());
	}

	/**
	 * As {@link #renew(LockToken)}, and changes the lease or the application's part of
	 * the item.
	 * @throws IllegalArgumentException if the change names an attribute of the lock
	 * itself, or is larger than DynamoDB allows
	 */
	LockToken renew(LockToken token, RenewRequest request);

	/**
	 * Releases a detached lock, and deletes its item if the client is built with
	 * {@link LockClientBuilder#deleteOnRelease}.
	 * @param token the newest token of the lock
	 * @return {@link ReleaseOutcome#RELEASED}, {@link ReleaseOutcome#ALREADY_FREE} or
	 * {@link ReleaseOutcome#HELD_BY_ANOTHER}
	 * @throws LockStoreException as {@link #renew(LockToken)} does
	 */
	ReleaseOutcome release(LockToken token);

	/**
	 * Releases a lock that another client holds, as an administrator. Reads the lock
	 * first, with strong consistency. The holder detects the loss with its next heartbeat
	 * ({@link LossReason#RELEASED_BY_ADMINISTRATOR}, or {@link LossReason#ITEM_MISSING}
	 * if the release deleted the item). Until then, that holder and the next owner may
	 * both believe that they hold the lock. Only fencing tokens and guarded writes
	 * protect your data then.
	 * @param expectedOwner the {@link LockRecord#ownerName() owner name} that the lock
	 * must have
	 * @return one of the outcomes of {@link #release(LockToken)}
	 * @throws IllegalArgumentException if the owner name is empty
	 * @throws LockStoreException if DynamoDB rejects the write, or does not answer within
	 * 10 seconds
	 */
	ReleaseOutcome forceRelease(LockKey key, String expectedOwner);

	/**
	 * Changes the data and the application's attributes in a lock's item, whether the
	 * lock is held or not. Does not acquire the lock. Makes a strongly consistent read
	 * and a write. The holder, its heartbeats and waiting clients are not affected.
	 * {@link HeldLock#record()} does not show the change.
	 *
	 * <p>
	 * A lock without an item gets one, as if it had been acquired with the client's lease
	 * and released. The item is marked as kept, as by {@link LockRequest#keptItem}.
	 *
	 * <p>
	 * A change that DynamoDB does not confirm is repeated, and may therefore be made
	 * twice.
	 * @return the lock's record after the change
	 * @throws IllegalArgumentException if the change names an attribute of the lock
	 * itself, {@linkplain ItemChange#copy copies} attributes, or is larger than DynamoDB
	 * allows
	 * @throws LockStoreException if DynamoDB rejects the change, or does not confirm it
	 * within 10 seconds
	 */
	LockRecord change(LockKey key, ItemChange change);

	/**
	 * As {@link #list(ListRequest)}, for all locks of this client's namespace, or of the
	 * table if the client has none. Reads the whole table; {@link ListRequest#all()}
	 * states the cost.
	 */
	default Stream<LockRecord> list() {
		return list(ListRequest.all());
	}

	/**
	 * As {@link #list(ListRequest)}, for the locks of one partition, in the order of
	 * their sort keys.
	 */
	default Stream<LockRecord> listPartition(String partition) {
		return list(ListRequest.partition(partition));
	}

	/**
	 * Lists locks, held and released. Items that are not locks are passed to
	 * {@link ListRequest#onNotALock} and skipped.
	 *
	 * <pre>{@code
	 * List<LockRecord> held = client.list(ListRequest.partition("orders"))
	 *     .filter((lock) -> !lock.isReleased())
	 *     .toList();
	 * }</pre>
	 *
	 * <p>
	 * The stream is lazy and reads one page at a time, so {@code limit} and
	 * {@code findFirst} read only what they need. It is sequential, needs no closing, and
	 * is not a snapshot: locks can change while it is read. The thread that reads the
	 * stream makes the calls. A page fails if DynamoDB does not answer within 5 seconds;
	 * the SDK retries throttled calls until then.
	 *
	 * <p>
	 * If a page cannot be read, the stream's terminal operation throws the exception.
	 * @return the locks; the stream can be read once, by one thread at a time
	 * @throws IllegalArgumentException if the partition and the client's namespace are
	 * too long together
	 */
	Stream<LockRecord> list(ListRequest request);

	/**
	 * Returns DynamoDB's current time of day, without a call. It is computed from the
	 * {@code Date} headers of DynamoDB's latest responses. It shows whether this
	 * process's wall clock is right. Schedules depend on that clock; locks depend on it
	 * only with a {@linkplain LockClientBuilder#clockSkewBound clock bound}.
	 * @return the time; empty before the first response, and with a
	 * {@code DynamoDbClient} whose responses carry no date, such as one for tables in
	 * memory
	 */
	Optional<ServiceTime> serviceTime();

	/**
	 * {@return how long an acquisition waits if its request has no wait time; zero for
	 * one attempt}
	 */
	Duration waitTime();

	/**
	 * {@return how long a lock is held at most if its request has no limit; empty for no
	 * limit}
	 */
	Optional<Duration> holdAtMost();

	/**
	 * {@return the owner name of this client's locks: the configured name and a unique
	 * suffix, which {@link #afterRestore()} replaces}
	 */
	String ownerName();

	/**
	 * {@return the name or ARN of the lock table, as configured}
	 */
	String tableName();

	/**
	 * Ends all waits with {@link LockClientClosedException}, releases every held lock and
	 * stops the client's threads. Held locks are first reported as lost, with
	 * {@link LossReason#CLOSED}. A lock whose {@link LockRequest#holdAtLeast} is not over
	 * is renewed once more instead, with the remaining time as its lease. Locks whose
	 * release or renewal DynamoDB does not confirm are logged and expire with their
	 * leases.
	 *
	 * <p>
	 * Waits for at most 10 seconds plus 10 ms for each held lock: first until DynamoDB
	 * has answered all releases and the cleanup of unconfirmed writes, then for
	 * listeners. If a listener calls this method, it does not wait for listeners.
	 * Idempotent.
	 */
	@Override
	void close();

	/**
	 * Closes this client like {@link #close()}, but does not release its locks: they stay
	 * in the table until their leases expire. Use it if the locks must protect unfinished
	 * work for one more lease. Other clients then wait for a lease after every restart,
	 * which {@link #close()} avoids.
	 */
	void closeWithoutReleasing();

	/**
	 * Ends all leases, waits and threads of this client like {@link #close()}, because
	 * the process is about to be checkpointed, for example by CRaC or AWS Lambda
	 * SnapStart. Several processes may be restored from one checkpoint, and they must not
	 * all hold the same lock. Until {@link #afterRestore()}, this client holds nothing,
	 * and methods that call DynamoDB throw {@link LockClientClosedException}. Idempotent,
	 * and does nothing if the client is closed.
	 *
	 * <p>
	 * A Spring application that uses the starter need not call it: the context does.
	 *
	 * <pre>{@code
	 * client.beforeCheckpoint();    // in org.crac.Resource.beforeCheckpoint
	 * // The process is checkpointed here, and others are restored from it.
	 * client.afterRestore();        // in org.crac.Resource.afterRestore
	 * }</pre>
	 */
	void beforeCheckpoint();

	/**
	 * Opens this client again after {@link #beforeCheckpoint()}, with a new
	 * {@linkplain #ownerName() owner name}. Forgets what it has observed of other owners'
	 * locks: before it takes over a crashed owner's lock, it waits for a whole lease
	 * again. Handles from before the checkpoint stay lost. The client keeps its options,
	 * but reads the host's name again. Makes no call. Does nothing if the client is open,
	 * or was closed by {@link #close()}.
	 */
	void afterRestore();

}

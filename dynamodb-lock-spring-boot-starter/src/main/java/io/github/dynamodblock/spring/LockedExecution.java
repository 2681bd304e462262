/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One execution of work under locks. It acquires the locks, makes them the thread's
 * current ones while the work runs, releases them, and reports failures.
 * {@link LockTemplate} and the advice of {@link DistributedLock} use this class;
 * applications use those.
 *
 * <p>
 * Locks under which the caller already runs are joined: nothing is sent for them, and
 * they are not released. Other locks are acquired in the order of the requests. A
 * blocking call releases them in reverse order, an asynchronous one all at once. If one
 * is not granted, the others are released, and the work does not run. The wait time
 * applies to all locks together.
 *
 * <p>
 * An execution runs once. Its locks are acquired by one thread at a time; everything else
 * is thread-safe.
 */
public final class LockedExecution {

	private static final Logger logger = LoggerFactory.getLogger(LockedExecution.class);

	private final LockClient client;

	private final String work;

	private final List<LockRequest> requests;

	private final LossSignal loss;

	private final long begin = System.nanoTime();

	private volatile @Nullable Locks locks;

	/** The lock that {@link #claim()} acquired in advance. */
	private final AtomicReference<@Nullable HeldLock> claim = new AtomicReference<>();

	private volatile Function<@Nullable Throwable, ReleaseRequest> releases = (failure) -> ReleaseRequest.create();

	/**
	 * Prepares an execution. Nothing is acquired yet.
	 * @param client the client that grants the locks
	 * @param work the name of the work in logs and exceptions
	 * @param requests the locks, at least one
	 * @param interruptOnLoss whether the loss of a lock interrupts the work and replaces
	 * its result
	 */
	public LockedExecution(LockClient client, String work, List<LockRequest> requests, boolean interruptOnLoss) {
		this.client = client;
		this.work = work;
		this.requests = List.copyOf(requests);
		this.loss = new LossSignal(interruptOnLoss);
		OpenTransactions.report(this, client);
	}

	/**
	 * Sets how a lock is released after the work, for example to record the result.
	 * @param releases creates the release request for each lock, from the work's
	 * exception or {@code null}
	 */
	public void releaseWith(Function<@Nullable Throwable, ReleaseRequest> releases) {
		this.releases = releases;
	}

	/**
	 * {@return the name of the work in logs and exceptions}
	 */
	public String work() {
		return this.work;
	}

	/**
	 * {@return the requests, unchanged}
	 */
	public List<LockRequest> requests() {
		return this.requests;
	}

	/**
	 * Acquires the only lock in advance. {@link #acquire()} or {@link #acquireAsync}
	 * takes it; otherwise, {@link #returnClaim} releases it.
	 * @throws LockNotGrantedException if the lock was not granted
	 */
	public void claim() {
		this.claim.set(acquire(this.requests.get(0)));
	}

	/**
	 * Releases the claim, unless it was taken.
	 * @param request returns how to release it
	 */
	public void returnClaim(Supplier<ReleaseRequest> request) {
		Optional.ofNullable(this.claim.getAndSet(null)).ifPresent((unused) -> release(unused, request.get(), null));
	}

	/**
	 * Acquires all locks, except those that this thread already holds. If this method
	 * throws, it holds none of the locks that it has acquired.
	 * @throws LockNotGrantedException if one of them was not granted
	 * @throws LockLostException if one of them was lost
	 * @throws LockWaitInterruptedException if the thread is interrupted while it waits
	 */
	public void acquire() {
		List<HeldLock> all = new ArrayList<>();
		List<HeldLock> acquired = new ArrayList<>();
		try {
			for (LockRequest request : this.requests) {
				Optional<HeldLock> joined = join(LockContext.capture(), request);
				if (joined.isPresent()) {
					all.add(joined.get());
				}
				else {
					acquired.add(acquire(request));
					all.add(acquired.get(acquired.size() - 1));
				}
			}
			granted(all, acquired);
		}
		catch (Throwable ex) {
			reversed(acquired).forEach(this::releaseUnused);
			throw ex;
		}
	}

	/**
	 * Finds a lock that the caller already holds.
	 * @param outer the locks under which the caller runs
	 * @param request the request, one of whose locks the caller may hold
	 * @return the lock, or empty if it has to be acquired
	 * @throws LockLostException if the lock was lost
	 */
	public Optional<HeldLock> join(LockContext.Snapshot outer, LockRequest request) {
		Optional<HeldLock> held = outer.find(this.client, request);
		held.ifPresent(HeldLock::ensureHeld);
		return held;
	}

	/**
	 * Acquires one of the locks in the background. The caller passes it to
	 * {@link #granted} or to {@link #releaseUnused}.
	 * @param request one of the requests
	 * @param executor where the future completes
	 * @return the client's future; cancelling it gives up the acquisition
	 */
	public CompletableFuture<HeldLock> acquireAsync(LockRequest request, Executor executor) {
		HeldLock claimed = takeClaim();
		if (claimed != null) {
			return CompletableFuture.completedFuture(claimed);
		}
		CompletableFuture<HeldLock> future = required(this.client,
				this.client.acquireAsync(prepared(request), executor));
		if (future.isDone() && !future.isCompletedExceptionally()) {
			required(this.client, future.join());
		}
		return future;
	}

	/**
	 * Records the locks under which the work runs.
	 * @param all the locks in the order of the requests
	 * @param acquired those that this execution acquired, and will release
	 * @throws LockLostException if one of several locks was lost during the wait for
	 * another one
	 */
	public void granted(List<HeldLock> all, List<HeldLock> acquired) {
		if (all.size() > 1) {
			all.forEach(HeldLock::ensureHeld);
		}
		this.locks = new Locks(List.copyOf(all), List.copyOf(acquired));
	}

	/** Takes the claim. Much time may have passed since it was acquired. */
	private @Nullable HeldLock takeClaim() {
		HeldLock claimed = this.claim.getAndSet(null);
		if (claimed != null) {
			claimed.ensureHeld();
		}
		return claimed;
	}

	/** Returns the request with the execution's listener and the remaining wait time. */
	private LockRequest prepared(LockRequest request) {
		LockRequest watched = this.loss.watch(request);
		if (this.requests.size() == 1) {
			return watched;
		}
		return watched.waitTime(rest(request.waitTime().orElseGet(this.client::waitTime), this.begin));
	}

	private static Duration rest(Duration time, long begin) {
		Duration rest = time.minusNanos(System.nanoTime() - begin);
		return rest.isNegative() ? Duration.ZERO : rest;
	}

	private HeldLock acquire(LockRequest request) {
		HeldLock claimed = takeClaim();
		if (claimed != null) {
			return claimed;
		}
		try {
			return required(this.client, this.client.acquire(prepared(request)));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockWaitInterruptedException(request.key(), this.work, ex);
		}
	}

	/**
	 * Returns the result of a lock client, after a check. No lock client returns
	 * {@code null}, but a mock without stubs does.
	 * @param <T> the result
	 * @param client the lock client
	 * @return the result
	 * @throws IllegalStateException if the result is {@code null}
	 */
	public static <T> T required(LockClient client, @Nullable T result) {
		if (result == null) {
			throw new IllegalStateException("The lock client " + client.getClass().getName()
					+ " returned null; is it a mock? Stub acquire(LockRequest), acquireAsync(LockRequest, Executor) "
					+ "for a reactive method or acquireUninterruptibly(LockRequest) for a lock registry, or use "
					+ "InMemoryDynamoDb from dynamodb-lock-test");
		}
		return result;
	}

	/**
	 * {@return whether all locks are held}
	 */
	public boolean isGranted() {
		return this.locks != null;
	}

	/**
	 * {@return whether the caller already held all locks}
	 */
	public boolean isJoined() {
		return locks().acquired().isEmpty();
	}

	/**
	 * Adds the locks of this execution to those of a caller.
	 * @param outer the locks under which the caller runs
	 * @return the locks under which the work runs
	 */
	public LockContext.Snapshot within(LockContext.Snapshot outer) {
		return outer.with(this.client, locks().all());
	}

	private Locks locks() {
		Locks granted = this.locks;
		if (granted == null) {
			throw new IllegalStateException("The locks of " + this.work + " were not acquired");
		}
		return granted;
	}

	/**
	 * Runs work that ends when it returns, and releases the locks.
	 * @param <T> the result of the work
	 * @param <E> the checked exception of the work
	 * @param body the work
	 * @return its result
	 * @throws E the exception of the work
	 * @throws LockLostException if a lock was lost and the loss replaces the result. The
	 * work's exception is added as suppressed.
	 */
	public <T extends @Nullable Object, E extends Throwable> T execute(Body<T, E> body) throws E {
		T result;
		try {
			result = run(body);
			reportUnfinished(result);
		}
		catch (Throwable ex) {
			end(ex);
			throw ex;
		}
		end(null);
		return result;
	}

	/**
	 * Runs work in this thread and keeps the locks. If {@link #isInterruptedOnLoss()}, a
	 * loss interrupts the thread while it runs the work.
	 * @param <T> the result of the work
	 * @param <E> the checked exception of the work
	 * @param body the work
	 * @return its result
	 * @throws E the exception of the work
	 */
	public <T extends @Nullable Object, E extends Throwable> T run(Body<T, E> body) throws E {
		try (LossSignal.Interruption interruption = this.loss.interruptCurrentThread()) {
			return begin(within(LockContext.capture()), body);
		}
	}

	/**
	 * Starts work that ends later. The thread is not interrupted if a lock is lost.
	 * @param <T> what the work returns at once
	 * @param <E> the checked exception of the work
	 * @param context the locks under which the work runs
	 * @param body the work
	 * @return what the work returned
	 * @throws E the exception of the work
	 */
	public <T extends @Nullable Object, E extends Throwable> T begin(LockContext.Snapshot context, Body<T, E> body)
			throws E {
		try (LockContext.Scope scope = context.open()) {
			this.loss.ensureNone();
			return body.run(locks().all());
		}
	}

	/**
	 * Releases the locks. If a lock was lost and the loss replaces the result, throws the
	 * loss.
	 * @param failure the exception of the work, or {@code null}
	 * @throws LockLostException the first loss
	 */
	public void end(@Nullable Throwable failure) {
		release(failure);
		LockLostException lost = findLoss(failure);
		if (lost != null) {
			throw lost;
		}
	}

	/**
	 * Releases the locks that were acquired for this execution, the last one first. Never
	 * throws, because the caller gets the result of the work. Failed releases and lost
	 * locks are logged. Several locks share one wait for DynamoDB's answers.
	 * @param failure the work's exception, or {@code null}; failed releases are added to
	 * it as suppressed
	 */
	public void release(@Nullable Throwable failure) {
		List<HeldLock> acquired = reversed(locks().acquired());
		long begin = System.nanoTime();
		for (HeldLock lock : acquired) {
			ReleaseRequest request = releaseRequest(lock, failure);
			boolean first = lock == acquired.get(0);
			release(lock, first ? request : request.waitTime(rest(request.waitTime(), begin)), failure);
			reportLoss(lock);
		}
	}

	private void reportLoss(HeldLock lock) {
		lock.lossReason()
			.ifPresent((reason) -> logger
				.info("Lock '{}' (fencing token {}) was lost while {} ran: {}. Another node may have run it at the "
						+ "same time", lock.key(), lock.fencingToken(), this.work, reason));
	}

	/**
	 * As {@link #release}, without a waiting thread.
	 * @param failure the work's exception, or {@code null}
	 * @return completed when the releases have ended, or when a blocking call would stop
	 * waiting for them; never fails
	 */
	public CompletableFuture<Void> releaseAsync(@Nullable Throwable failure) {
		// All at once, so no release waits for the answer to another one.
		return CompletableFuture.allOf(reversed(locks().acquired()).stream()
			.map((lock) -> releaseAsync(lock, failure))
			.toArray(CompletableFuture<?>[]::new));
	}

	private CompletableFuture<?> releaseAsync(HeldLock lock, @Nullable Throwable failure) {
		ReleaseRequest request = releaseRequest(lock, failure);
		CompletableFuture<ReleaseOutcome> release;
		try {
			// The dependent stage only logs, and must not wait for a thread.
			release = required(this.client, lock.releaseAsync(request, Runnable::run));
		}
		catch (Throwable ex) {
			release = CompletableFuture.failedFuture(ex);
		}
		return release.orTimeout(TimeUnit.NANOSECONDS.convert(request.waitTime()), TimeUnit.NANOSECONDS)
			.handle((outcome, problem) -> {
				if (problem != null) {
					unreleased(lock, (problem instanceof TimeoutException) ? unconfirmed(request) : problem, failure);
				}
				reportLoss(lock);
				return outcome;
			});
	}

	private static LockStoreException unconfirmed(ReleaseRequest request) {
		return new LockStoreException("The release was not confirmed within " + LogText.of(request.waitTime())
				+ "; it continues in the background", null);
	}

	private void release(HeldLock lock, ReleaseRequest request, @Nullable Throwable failure) {
		try {
			lock.release(request);
		}
		catch (RuntimeException ex) {
			unreleased(lock, ex, failure);
		}
	}

	private void unreleased(HeldLock lock, Throwable problem, @Nullable Throwable failure) {
		if (failure != null) {
			failure.addSuppressed(problem);
		}
		logUnreleased(lock, this.work, problem);
	}

	private static void logUnreleased(HeldLock lock, String ended, Throwable failure) {
		logger.warn("Lock '{}' could not be released when {} ended; it expires no later than one lease after its last "
				+ "heartbeat. {}", lock.key(), ended, failure.getMessage());
		logger.debug("Stack trace of the failed release", failure);
	}

	private ReleaseRequest releaseRequest(HeldLock lock, @Nullable Throwable failure) {
		try {
			return this.releases.apply(failure);
		}
		catch (RuntimeException | Error ex) {
			logger.error("The result of {} was not recorded in the item of lock '{}', because a listener or the clock "
					+ "failed; the lock is released without it", this.work, lock.key(), ex);
			return ReleaseRequest.create();
		}
	}

	/**
	 * Releases a lock under which nothing ran, because another lock was not granted or
	 * the caller has left. The lock is free at once, even if it has a minimum hold time.
	 * A failure is only logged, because the caller gets the reason why the lock was not
	 * used.
	 * @param lock the lock
	 */
	public void releaseUnused(HeldLock lock) {
		boolean interrupted = Thread.interrupted();
		try {
			if (holdsAtLeast(lock.key()) && lock.isHeld()) {
				// A release through the handle would keep it for its minimum hold time.
				this.client.release(lock.detach());
			}
			else {
				lock.release();
			}
		}
		catch (InterruptedException ex) {
			interrupted = true;
			lock.close();
		}
		catch (RuntimeException ex) {
			logUnreleased(lock, "it was acquired for " + this.work + " but not used", ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private boolean holdsAtLeast(LockKey key) {
		return this.requests.stream()
			.anyMatch((request) -> request.keys().contains(key) && !request.holdAtLeast().isZero());
	}

	/**
	 * {@return whether the loss of a lock ends the work}
	 */
	public boolean isInterruptedOnLoss() {
		return this.loss.isWanted();
	}

	/**
	 * {@return a future that completes with the first loss of a lock, or never if a loss
	 * does not end the work}
	 */
	public CompletableFuture<LockLostException> loss() {
		return this.loss.future();
	}

	/**
	 * Finds the loss that replaces the result.
	 * @param failure the work's exception, which is added to the loss as suppressed, or
	 * {@code null}
	 * @return the first loss, or {@code null} if there is none or a loss does not end the
	 * work
	 */
	public @Nullable LockLostException findLoss(@Nullable Throwable failure) {
		return this.loss.find(locks().acquired(), failure);
	}

	private void reportUnfinished(@Nullable Object result) {
		if (result != null && !isJoined() && AsynchronousWork.isUnfinished(result)) {
			logger.warn(
					"{} returned a {} whose work is not done. Lock '{}' does not protect the rest of that work, "
							+ "because it is released when the call returns. Wait for the result before you return, "
							+ "or annotate a method whose declared return type is asynchronous",
					this.work, result.getClass().getName(), locks().acquired().get(0).key());
		}
	}

	/**
	 * Logs joined locks that were released before the work ended. That happens only if
	 * the work continues after its call has returned. The outer call, which owns the
	 * locks, may then end first.
	 */
	public void reportOutlived() {
		Locks granted = locks();
		for (HeldLock lock : granted.all()) {
			if (!granted.acquired().contains(lock) && !lock.isHeld() && lock.lossReason().isEmpty()) {
				logger.warn("{} continued after lock '{}' was released: it had joined the lock of an outer call, which "
						+ "ended first. Make the outer call wait for it", this.work, lock.key());
			}
		}
	}

	private static List<HeldLock> reversed(List<HeldLock> locks) {
		List<HeldLock> reversed = new ArrayList<>(locks);
		Collections.reverse(reversed);
		return reversed;
	}

	/**
	 * Work that runs under locks.
	 *
	 * @param <T> its result
	 * @param <E> its checked exception
	 */
	@FunctionalInterface
	public interface Body<T extends @Nullable Object, E extends Throwable> {

		/**
		 * Runs the work.
		 * @param locks the locks in the order of their requests
		 * @return the result
		 * @throws E if the work fails
		 */
		T run(List<HeldLock> locks) throws E;

	}

	/**
	 * The locks of an execution.
	 *
	 * @param all the locks in the order of the requests
	 * @param acquired the locks that this execution acquired, and did not join
	 */
	private record Locks(List<HeldLock> all, List<HeldLock> acquired) {
	}

}

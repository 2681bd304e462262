/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.call;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.runtime.environment.Environment;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Where one blocking caller waits. Meanwhile, its own thread makes the calls of its
 * operation, so the SDK sees the caller's trace and thread locals, and no call needs a
 * thread switch. Once the caller has left, the client's threads make the calls.
 * <p>
 * Only the caller's thread waits and leaves; any thread may add a call.
 */
public final class CallerLane implements Executor, AutoCloseable {

	/** Before JDK 24, a virtual thread that blocks in a monitor pins its carrier. */
	private static final boolean VIRTUAL_THREADS_PIN = Runtime.version().feature() < 24;

	private final Environment environment;

	private final @Nullable Thread caller;

	private final Runnable wakeup;

	private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();

	/** Makes the calls once the caller has left. */
	private volatile @Nullable Executor threads;

	/** Whether the caller's thread is making a call. */
	private volatile boolean busy;

	private @Nullable CompletableFuture<?> awaited;

	/** The future that wakes the caller when it is complete. */
	private @Nullable CompletableFuture<?> waking;

	/**
	 * Creates the lane of this thread. On a {@code ForkJoinPool} worker, and on a virtual
	 * thread that pins its carrier, a blocking call would block others. For these, the
	 * client's threads make all calls from the start.
	 */
	public CallerLane(Environment environment) {
		Thread caller = Thread.currentThread();
		this.environment = environment;
		this.caller = caller;
		this.wakeup = () -> LockSupport.unpark(caller);
		if (caller instanceof ForkJoinWorkerThread || (VIRTUAL_THREADS_PIN && isVirtual(caller))) {
			this.threads = environment.callersContext();
		}
	}

	/**
	 * Creates the lane of a caller that does not block.
	 * @param caller runs the task that makes the pending calls
	 */
	public CallerLane(Environment environment, Executor caller) {
		this.environment = environment;
		this.caller = null;
		this.wakeup = () -> caller.execute(this::makeCalls);
	}

	/** Throws if this thread is interrupted, so nothing is sent for it. */
	public static void ensureNotInterrupted() throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
	}

	private static boolean isVirtual(Thread thread) {
		// Thread.isVirtual() is not in JDK 17.
		return thread.getClass().getName().endsWith("VirtualThread");
	}

	@Override
	public void execute(Runnable call) {
		Executor left = this.threads;
		if (left == null && this.busy && Thread.currentThread() != this.caller) {
			// The caller's thread may run a listener for long, while this call occupies a
			// call slot.
			left = this.environment.background();
		}
		if (left != null) {
			left.execute(call);
			return;
		}
		this.calls.add(call);
		// In this order, either the leaving caller sees the call or this thread sees that
		// it has left.
		left = this.threads;
		if (left != null) {
			passOn(left);
		}
		else {
			this.wakeup.run();
		}
	}

	/** Leaves the lane. The client's threads make the remaining calls. */
	@Override
	public void close() {
		Executor left = this.threads;
		if (left == null) {
			boolean ended = this.awaited != null && this.awaited.isDone();
			left = ended ? this.environment.background() : this.environment.callersContext();
			this.threads = left;
		}
		passOn(left);
	}

	private void passOn(Executor left) {
		for (Runnable call = this.calls.poll(); call != null; call = this.calls.poll()) {
			try {
				left.execute(call);
			}
			catch (Throwable ex) {
				// No other thread can run the call. It runs here, to give up its call
				// slot and its turn.
				make(call);
			}
		}
	}

	private void makeCalls() {
		for (Runnable call = this.calls.poll(); call != null; call = this.calls.poll()) {
			make(call);
		}
	}

	/** A failure must not end the wait or prevent the next calls. */
	private static void make(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			Callbacks.report(ex);
		}
	}

	/**
	 * Makes calls until a future is complete or a time has passed. An interrupt ends the
	 * wait at once, or after the call in progress.
	 * @return whether the future was completed in time, with a value or an exception
	 */
	public boolean await(CompletableFuture<?> end, long nanos) throws InterruptedException {
		long begin = System.nanoTime();
		this.awaited = end;
		while (!end.isDone()) {
			// Checked before each call, too, because the SDK aborts the calls of
			// interrupted threads.
			ensureNotInterrupted();
			Runnable call = this.calls.poll();
			long rest = nanos - (System.nanoTime() - begin);
			if (call != null) {
				this.busy = true;
				make(call);
				this.busy = false;
			}
			else if (rest <= 0) {
				return false;
			}
			else {
				park(end, rest);
			}
		}
		return true;
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the dependent throws nothing
	private void park(CompletableFuture<?> end, long nanos) throws InterruptedException {
		if (this.waking != end) {
			this.waking = end;
			end.whenComplete((value, problem) -> this.wakeup.run());
		}
		ForkJoinPool.managedBlock(new ForkJoinPool.ManagedBlocker() {

			@Override
			public boolean isReleasable() {
				return end.isDone() || !CallerLane.this.calls.isEmpty();
			}

			@Override
			public boolean block() {
				LockSupport.parkNanos(CallerLane.this, nanos);
				return true;
			}

		});
	}

	/** Makes calls until a future is complete, and returns its value. */
	public <T> T await(CompletableFuture<T> end) throws InterruptedException {
		await(end, Long.MAX_VALUE);
		return value(end);
	}

	/**
	 * As {@link #await(CompletableFuture, long)}, but ignores interrupts. Clears the
	 * interrupt flag for the calls and sets it again at the end.
	 */
	public boolean awaitUninterruptibly(CompletableFuture<?> end, long nanos) {
		long begin = System.nanoTime();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return await(end, nanos - (System.nanoTime() - begin));
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	public boolean awaitUninterruptibly(CompletableFuture<?> end, Duration atMost) {
		return awaitUninterruptibly(end, Nanos.of(atMost));
	}

	/** As {@link #await(CompletableFuture)}, but ignores interrupts. */
	public <T> T awaitUninterruptibly(CompletableFuture<T> end) {
		awaitUninterruptibly(end, Long.MAX_VALUE);
		return value(end);
	}

	private static <T> T value(CompletableFuture<T> end) {
		try {
			return end.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof SdkException cancellation) {
				// Only a transaction throws this, and it has only one caller.
				throw cancellation;
			}
			if (ex.getCause() instanceof LockException failure) {
				// Several threads may wait for one result: each gets its own stack trace.
				throw again(failure);
			}
			throw new IllegalStateException("A lock operation failed unexpectedly: please report this", ex.getCause());
		}
	}

	/**
	 * Copies a failure for another thread. If several threads threw the same instance,
	 * all would show one thread's stack trace, and it would collect the suppressed
	 * exceptions of all.
	 */
	public static LockException again(LockException failure) {
		String message = String.valueOf(failure.getMessage());
		if (failure instanceof LockStoreException) {
			return new LockStoreException(message, failure.getCause());
		}
		if (failure instanceof LockTableException table) {
			return new LockTableException(table.tableName(), table.problem(), message, failure.getCause());
		}
		if (failure instanceof LockLostException lost) {
			return new LockLostException(lost.key(), lost.reason(), lost.fencingToken());
		}
		if (failure instanceof LockClientClosedException closed) {
			return new LockClientClosedException(closed.ownerName());
		}
		return failure;
	}

}

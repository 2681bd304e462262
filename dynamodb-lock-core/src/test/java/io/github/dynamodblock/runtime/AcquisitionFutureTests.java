/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Acquisitions that give a future, in virtual time on a real table.
 */
class AcquisitionFutureTests extends VirtualTimeTest {

	private static final LockRequest REQUEST = LockRequest.of("k").waitTime(Duration.ofMinutes(5));

	/** The caller's executor, which runs what it was given when the test says so. */
	private final Deque<Runnable> mailbox = new ArrayDeque<>();

	@Test
	void theFutureIsCompletedOnTheCallersExecutorAndTheLockIsKeptMeanwhile() {
		CompletableFuture<HeldLock> future = acquire(this.mailbox::add);
		time().pass(Duration.ofMinutes(5));
		assertThat(future).isNotDone();
		deliver();
		assertThat(future).isCompleted();
		assertThat(future.join().isHeld()).isTrue();
	}

	@Test
	void whatHangsOnTheFutureRunsOnTheCallersExecutorToo() {
		List<String> ran = new ArrayList<>();
		CompletableFuture<Void> last = acquire(this.mailbox::add).thenApplyAsync(HeldLock::key)
			.thenAcceptAsync((key) -> ran.add(key.toString()));
		time().pass(Duration.ofSeconds(1));
		for (int i = 0; i < 3; i++) {
			assertThat(ran).isEmpty();
			this.mailbox.remove().run();
		}
		assertThat(ran).containsExactly("k");
		assertThat(last).isCompleted();
	}

	@Test
	void aLockIsBeingKeptBeforeWhateverHangsOnItRunsAtOnce() {
		List<String> before = new ArrayList<>();
		CompletableFuture<Void> last = acquire(Runnable::run).thenAccept((lock) -> {
			before.addAll(events());
			time().pass(LEASE.multipliedBy(3));
			assertThat(lock.isHeld()).isTrue();
		});
		time().pass(VirtualEnvironment.CALL);
		assertThat(last).isCompleted();
		assertThat(before).containsExactly("one acquired");
	}

	@Test
	void cancellingWhileAnotherHoldsTheLockEndsTheAcquisition() {
		LeaseHandle other = two().acquire("k");
		CompletableFuture<HeldLock> future = acquire(this.mailbox::add);
		time().pass(Duration.ofSeconds(5));
		future.cancel(false);
		int sent = one().environment().sent();
		two().release(other);
		time().pass(Duration.ofMinutes(1));
		assertThat(one().environment().sent()).isLessThanOrEqualTo(sent);
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
	}

	@Test
	void cancellingInLineLetsTheNextOneHaveTheTurn() {
		LeaseHandle first = one().acquire("k");
		CompletableFuture<HeldLock> second = acquire(Runnable::run);
		CompletableFuture<HeldLock> third = acquire(Runnable::run);
		second.cancel(true);
		one().release(first);
		time().pass(Duration.ofSeconds(1));
		assertThat(third).isCompleted();
		assertThat(third.join().isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one released", "one acquired");
	}

	@Test
	void cancellingInTheMiddleOfACallFreesWhatItTook() {
		for (Fault fault : List.of(Fault.NONE, Fault.ANSWER_LOST)) {
			one().environment().next(fault);
			CompletableFuture<HeldLock> future = acquire(this.mailbox::add);
			time().pass(Duration.ofMillis(7));
			future.cancel(false);
			time().pass(Duration.ofSeconds(6));
			assertThat(two().row("k").isReleased()).isTrue();
			assertThat(time().pending()).isZero();
		}
	}

	@Test
	void cancellingBetweenTheGrantAndItsDeliveryFreesTheLock() {
		CompletableFuture<HeldLock> future = acquire(this.mailbox::add);
		time().pass(Duration.ofSeconds(1));
		assertThat(one().row("k").isReleased()).isFalse();
		future.cancel(false);
		time().pass(Duration.ofSeconds(1));
		deliver();
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(future).isCancelled();
		assertThat(time().pending()).isZero();
	}

	@Test
	void cancellingAfterTheDeliveryIsTooLate() {
		CompletableFuture<HeldLock> future = acquire(Runnable::run);
		time().pass(Duration.ofSeconds(1));
		assertThat(future.cancel(true)).isFalse();
		time().pass(Duration.ofMinutes(1));
		assertThat(future.join().isHeld()).isTrue();
	}

	@Test
	void aFutureThatTimesOutGivesTheAcquisitionUp() {
		CompletableFuture<HeldLock> future = acquire(this.mailbox::add);
		time().pass(Duration.ofSeconds(1));
		future.completeExceptionally(new TimeoutException());
		time().pass(Duration.ofSeconds(1));
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
	}

	@Test
	void aLockThatTheExecutorRefusesToDeliverIsFreed() {
		CompletableFuture<HeldLock> future = acquire((task) -> {
			throw new RejectedExecutionException("full");
		});
		time().pass(Duration.ofSeconds(1));
		assertThat(problemOf(future)).isInstanceOf(RejectedExecutionException.class);
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
	}

	@Test
	void aLockThatTheExecutorCannotDeliverForWantOfThreadsIsFreed() {
		CompletableFuture<HeldLock> future = acquire((task) -> {
			throw new OutOfMemoryError("unable to create native thread");
		});
		time().pass(Duration.ofSeconds(1));
		assertThat(problemOf(future)).isInstanceOf(OutOfMemoryError.class);
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
	}

	@Test
	void whoWaitsInVainIsToldWhoHoldsTheLock() {
		two().acquire("k");
		CompletableFuture<HeldLock> future = one().client()
			.acquireAsync(LockRequest.of("k").waitTime(Duration.ofSeconds(1)), this.mailbox::add);
		time().pass(Duration.ofSeconds(2));
		assertThat(future).isNotDone();
		deliver();
		assertThat(problemOf(future)).isInstanceOfSatisfying(LockNotGrantedException.class,
				(refusal) -> assertThat(refusal.record().orElseThrow().ownerName()).isEqualTo("two"));
	}

	@Test
	void aMissingTableIsAFailureOfTheFuture() {
		one().deleteTable();
		CompletableFuture<HeldLock> future = acquire(Runnable::run);
		time().pass(Duration.ofSeconds(1));
		assertThat(problemOf(future)).isInstanceOf(LockTableException.class);
	}

	@Test
	void aClientThatClosesFailsTheFutureAndThoseToCome() {
		two().acquire("k");
		CompletableFuture<HeldLock> future = acquire(Runnable::run);
		time().pass(Duration.ofSeconds(1));
		var ended = one().endEverything(true);
		assertThat(ended).isDone();
		assertThat(problemOf(future)).isInstanceOf(LockClientClosedException.class);
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> acquire(Runnable::run).join());
	}

	private CompletableFuture<HeldLock> acquire(Executor executor) {
		return one().client().acquireAsync(REQUEST, executor);
	}

	private void deliver() {
		while (!this.mailbox.isEmpty()) {
			this.mailbox.remove().run();
		}
	}

	private static Throwable problemOf(CompletableFuture<HeldLock> future) {
		assertThat(future).isCompletedExceptionally();
		return future.handle((lock, problem) -> problem).join();
	}

}

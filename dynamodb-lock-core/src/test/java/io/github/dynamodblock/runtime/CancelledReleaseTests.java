/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Course;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.store.SimulatedTable;
import io.github.dynamodblock.store.SimulatedTransaction;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases with items, and what becomes of the lock if they do not commit, in virtual
 * time.
 */
class CancelledReleaseTests extends VirtualTimeTest {

	private static final Duration SOON = VirtualEnvironment.CALL;

	private int written;

	private int transactions;

	CancelledReleaseTests() {
		super(new SimulatedTable());
	}

	private CompletableFuture<ReleaseOutcome> release(LeaseHandle lock, boolean conditionHolds) {
		SimulatedTransaction items = new SimulatedTransaction("t" + this.transactions++, () -> conditionHolds,
				() -> this.written++);
		return lock.beginRelease(items, ReleaseRequest.create());
	}

	private static void assertRefused(CompletableFuture<ReleaseOutcome> release) {
		assertThat(problem(release)).isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("condition does not hold");
	}

	private static Throwable problem(CompletableFuture<ReleaseOutcome> release) {
		assertThat(release).isCompletedExceptionally();
		return release.handle((value, problem) -> problem).join();
	}

	@Test
	void theLockIsHeldAgainAndHeartbeatsGoOn() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> release = release(lock, false);
		assertThat(lock.isHeld()).isFalse();
		time().pass(SOON);
		assertRefused(release);
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().client().holds(lock.key())).isTrue();
		time().pass(LEASE.multipliedBy(10));
		assertThat(lock.isHeld()).isTrue();

		CompletableFuture<ReleaseOutcome> again = release(lock, true);
		time().pass(SOON);
		assertThat(again).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(this.written).isEqualTo(1);
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one released");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aHeartbeatGivesTheLockAnotherVersionAtOnce() {
		LeaseHandle lock = one().acquire("k");
		String before = one().row("k").recordVersionNumber();
		CompletableFuture<ReleaseOutcome> release = release(lock, false);
		time().pass(SOON.multipliedBy(2));
		assertRefused(release);
		assertThat(one().row("k").recordVersionNumber()).isNotEqualTo(before);
	}

	@Test
	void aHeartbeatWithoutAnAnswerIsStillRecognised() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		time().pass(Duration.ofMillis(2600));
		CompletableFuture<ReleaseOutcome> release = release(lock, false);
		time().pass(LEASE);
		assertRefused(release);
		time().pass(LEASE.multipliedBy(10));
		assertThat(lock.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void aReleaseThatWaitedForItReleasesTheLockAlone() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> withItems = release(lock, false);
		CompletableFuture<ReleaseOutcome> alone = lock.beginRelease(ReleaseRequest.create());
		assertThat(alone).isNotDone();
		time().pass(SOON.multipliedBy(2));
		assertRefused(withItems);
		assertThat(alone).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(events()).containsExactly("one acquired", "one released");
	}

	@Test
	void aReleaseThatWaitedForOneThatCommittedSendsNothing() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> withItems = release(lock, true);
		CompletableFuture<ReleaseOutcome> alone = lock.beginRelease(ReleaseRequest.create());
		CompletableFuture<ReleaseOutcome> others = release(lock, true);
		time().pass(LEASE);
		assertThat(withItems).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(alone).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(others).isCompletedWithValue(ReleaseOutcome.ALREADY_RELEASED);
		assertThat(this.written).isEqualTo(1);
		assertThat(one().environment().sent()).isEqualTo(2);
	}

	@Test
	void aClientThatIsClosedMeanwhileReleasesTheLockAlone() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> withItems = release(lock, false);
		CompletableFuture<Void> closed = one().client().endEverything(true);
		time().pass(SOON);
		assertRefused(withItems);
		assertThat(closed).isNotDone();
		assertThat(lock.isHeld()).isFalse();
		time().pass(SOON.multipliedBy(2));
		assertThat(closed).isCompleted();
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one lost CLOSED");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aClientThatIsClosedWithoutReleasingLeavesTheLock() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> release = release(lock, false);
		CompletableFuture<Void> closed = one().client().endEverything(false);
		time().pass(LEASE);
		assertRefused(release);
		assertThat(closed).isCompleted();
		assertThat(lock.lossReason()).hasValue(LossReason.CLOSED);
		assertThat(two().row("k").isReleased()).isFalse();
		assertThat(time().pending()).isZero();
	}

	@Test
	void aClientThatIsClosedMeanwhileAwaitsACommit() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> withItems = release(lock, true);
		CompletableFuture<Void> closed = one().client().endEverything(true);
		time().pass(SOON);
		assertThat(withItems).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(closed).isCompleted();
		assertThat(events()).containsExactly("one acquired", "one released");
	}

	@Test
	void aLeaseThatIsOverByThenIsLost() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> release = release(lock, false);
		one().environment().sleep(Duration.ofHours(1));
		time().pass(SOON);
		assertThat(release).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(lock.lossReason()).hasValue(LossReason.EXPIRED);
		assertThat(events()).containsExactly("one acquired", "one lost EXPIRED");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aLockThatTheSameClientWasGrantedMeanwhileIsLost() {
		LockRequest request = LockRequest.of("k").idempotentFor("service");
		LeaseHandle lock = one().acquire(request);
		one().environment()
			.let((call) -> (call instanceof Step.Transact) ? Course.taking(Duration.ofSeconds(4)) : Course.USUAL);
		CompletableFuture<ReleaseOutcome> release = release(lock, false);
		time().pass(Duration.ofSeconds(3));
		LeaseHandle next = one().acquire(request);
		time().pass(Duration.ofSeconds(2));
		assertThat(release).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(lock.lossReason()).hasValue(LossReason.STOLEN);
		assertThat(next.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one acquired", "one lost STOLEN");
	}

	@Test
	void aLossThatTheReleaseFindsIsReportedOnce() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").idempotentFor("service"));
		two().acquire(LockRequest.of("k").idempotentFor("service"));
		CompletableFuture<ReleaseOutcome> release = release(lock, true);
		time().pass(SOON);
		assertThat(release).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(this.written).isZero();
		assertThat(two().row("k").isReleased()).isFalse();
		assertThat(events()).containsExactly("one acquired", "two acquired", "one lost STOLEN");
	}

	@Test
	void aLostAnswerIsSettledByARepetition() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST, Fault.REQUEST_LOST);
		CompletableFuture<ReleaseOutcome> release = release(lock, true);
		time().pass(LEASE);
		assertThat(release).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(this.written).isEqualTo(1);
	}

	@Test
	void whatStaysUnknownIsSaidToBeAndNotReleasedWithoutTheItems() {
		LeaseHandle lock = one().acquire("k");
		CompletableFuture<ReleaseOutcome> release = silentRelease(lock);
		assertThat(problem(release)).isInstanceOf(LockStoreException.class)
			.hasMessageContaining("it may have been committed or not");
		assertThat(lock.isHeld()).isFalse();
		assertThat(events()).containsExactly("one acquired", "one release failed");
		assertThat(one().environment().written()).isEqualTo(1);
		assertThat(two().row("k").isReleased()).isFalse();
		assertThat(time().pending()).isZero();
	}

	@Test
	void afterwardsAReleaseWithoutItemsFreesTheLockSoThatTheyAreNeverWritten() {
		LeaseHandle lock = one().acquire("k");
		assertThat(silentRelease(lock)).isCompletedExceptionally();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		time().pass(LEASE);
		assertThat(this.written).isZero();
	}

	private CompletableFuture<ReleaseOutcome> silentRelease(LeaseHandle lock) {
		Fault[] silence = new Fault[100];
		Arrays.fill(silence, Fault.REQUEST_LOST);
		one().environment().next(silence);
		CompletableFuture<ReleaseOutcome> release = release(lock, true);
		time().pass(LEASE.plusSeconds(6));
		one().environment().forgetFaults();
		return release;
	}

	@Test
	void itemsOfALockThatIsHeldAtLeastAreWrittenAtOnceAndTheLockIsKept() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtLeast(Duration.ofMinutes(1)));
		CompletableFuture<ReleaseOutcome> refused = release(lock, false);
		time().pass(SOON);
		assertRefused(refused);
		assertThat(lock.isHeld()).isTrue();

		CompletableFuture<ReleaseOutcome> kept = release(lock, true);
		time().pass(SOON);
		assertThat(kept).isCompletedWithValue(ReleaseOutcome.KEPT);
		assertThat(this.written).isEqualTo(1);
		assertThat(lock.isHeld()).isFalse();
		assertThat(two().row("k").isReleased()).isFalse();
		time().pass(Duration.ofMinutes(1));
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(this.written).isEqualTo(1);
		assertThat(events()).containsExactly("one acquired", "one released");
		assertThat(time().pending()).isZero();
	}

}

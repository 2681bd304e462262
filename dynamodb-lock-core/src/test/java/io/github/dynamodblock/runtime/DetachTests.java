/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Objects;

import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Handles that end without a release, and what becomes of their locks, in virtual time on
 * a real table.
 */
class DetachTests extends VirtualTimeTest {

	@Test
	void aConfirmedHandleEndsWithoutACallAndWithoutARelease() {
		LeaseHandle lock = one().acquire("k");
		LockToken token = detach(lock);
		assertThat(token.recordVersionNumber()).isEqualTo(one().row("k").recordVersionNumber());
		assertThat(token.fencingToken()).isEqualTo(lock.fencingToken());
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.lossReason()).isEmpty();
		time().pass(Duration.ofMinutes(1));
		assertThat(one().environment().sent()).isEqualTo(1);
		assertThat(one().row("k").isReleased()).isFalse();
		assertThat(events()).containsExactly("one acquired", "one detached");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aHandleWithAnUnansweredHeartbeatIsNotDetachedBeforeOneIsConfirmed() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		time().pass(Duration.ofMillis(2600));
		assertThat(lock.detachIfConfirmed()).isNull();
		assertThat(lock.isHeld()).isTrue();
		var heartbeat = lock.demand(RenewRequest.create());
		time().pass(LEASE.dividedBy(2));
		assertThat(heartbeat).isCompleted();
		assertThat(detach(lock).recordVersionNumber()).isEqualTo(one().row("k").recordVersionNumber());
		assertThat(time().pending()).isZero();
	}

	@Test
	void aHandleThatCouldNotBeDetachedYetIsKeptIfItsCallerGivesUp() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		time().pass(Duration.ofMillis(2600));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::detach);
		time().pass(Duration.ofMinutes(5));
		assertThat(lock.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void aLostHandleGivesNoToken() {
		LeaseHandle lock = one().acquire("k");
		one().environment().sleep(Duration.ofHours(1));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::detach)
			.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(LossReason.EXPIRED));
	}

	@Test
	void aHandleThatIsLostWhileItWaitsToBeDetachedGivesNoToken() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_SLOW);
		time().pass(Duration.ofMillis(2600));
		assertThat(lock.detachIfConfirmed()).isNull();
		var heartbeat = lock.demand(RenewRequest.create());
		time().pass(LEASE);
		assertThat(heartbeat).isCompleted();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::detachIfConfirmed);
		assertThat(events()).containsExactly("one acquired", "one expiring", "one lost EXPIRED");
	}

	@Test
	void aHandleEndsOnceWhetherItIsReleasedDetachedOrClosedFirst() {
		LeaseHandle released = one().acquire("released");
		one().release(released);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(released::detach)
			.withMessageContaining("released by");
		LeaseHandle detached = one().acquire("detached");
		detach(detached);
		assertThat(one().release(detached)).isEqualTo(ReleaseOutcome.DETACHED);
		assertThat(one().row("detached").isReleased()).isFalse();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(detached::detach)
			.withMessageContaining("detached from");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(detached::ensureHeld)
			.withMessageContaining("detached from");
		LeaseHandle closed = one().acquire("closed");
		var ended = one().endEverything(true);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(closed::detach)
			.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(LossReason.CLOSED));
		time().pass(Duration.ofSeconds(1));
		assertThat(ended).isDone();
		assertThat(one().row("closed").isReleased()).isTrue();
		assertThat(one().row("detached").isReleased()).isFalse();
	}

	@Test
	void aReleaseThatIsUnderWayLeavesNothingToDetach() {
		LeaseHandle lock = one().acquire("k");
		var outcome = lock.beginRelease(ReleaseRequest.create());
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(lock::detach);
		time().pass(Duration.ofSeconds(1));
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
	}

	@Test
	void detachingGivesUpATimeToBeHeldAtLeast() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtLeast(Duration.ofDays(1)));
		LockToken token = detach(lock);
		assertThat(two().release(token)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
	}

	@Test
	void aWaiterOfTheSameClientGetsADetachedLockOnceItsTokenIsReleased() {
		LockToken token = detach(one().acquire("k"));
		AcquisitionTask waiter = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(LEASE.dividedBy(2));
		assertThat(isOver(waiter)).isFalse();
		two().release(token);
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void aWaiterWhoStoodInLineBehindTheHandleGetsTheLockOnceItsTokenIsReleased() {
		LeaseHandle lock = one().acquire("k");
		AcquisitionTask waiter = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		LockToken token = detach(lock);
		time().pass(LEASE.dividedBy(2));
		assertThat(isOver(waiter)).isFalse();
		one().release(token);
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void anAdoptedLockIsKeptWithOneWriteAndAGreaterFencingToken() {
		LeaseHandle lock = one().acquire("k");
		LockToken token = LockToken.fromText(detach(lock).toText());
		LeaseHandle adopted = two().adopt(token);
		assertThat(two().environment().sent()).isEqualTo(1);
		assertThat(adopted.fencingToken()).isGreaterThan(lock.fencingToken());
		assertThat(two().row("k").ownerName()).isEqualTo("two");
		time().pass(Duration.ofMinutes(5));
		assertThat(adopted.isHeld()).isTrue();
		assertThat(lock.isHeld()).isFalse();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.DETACHED);
		assertThat(one().release(token)).isEqualTo(ReleaseOutcome.HELD_BY_ANOTHER);
		assertThat(one().lossOnRenewal(token)).isEqualTo(LossReason.STOLEN);
		assertThat(one().refusedToAdopt(token)).isEqualTo(LossReason.STOLEN);
		assertThat(two().release(adopted)).isEqualTo(ReleaseOutcome.RELEASED);
		// The read that follows a refusal comes when the holder's lease would end.
		time().pass(LEASE);
		assertThat(time().pending()).isZero();
	}

	@Test
	void theClientThatDetachedALockMayAdoptItItself() {
		LockToken token = detach(one().acquire("k"));
		LeaseHandle adopted = one().adopt(token);
		AcquisitionTask other = one().start(LockRequest.of("k"));
		assertThat(refused(other)).isNotNull();
		time().pass(Duration.ofMinutes(1));
		assertThat(adopted.isHeld()).isTrue();
		assertThat(one().release(adopted)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(one().acquire("k").isHeld()).isTrue();
	}

	@Test
	void anAdoptedLockIsHeldThoughItsTokensCountAnewSinceAnEarlierHandleWhoseReleaseIsStillUnanswered() {
		one().environment().setWallClock(Duration.ofHours(1));
		LeaseHandle earlier = one().acquire(LockRequest.of("k").deleteOnRelease(true));
		one().environment().next(Fault.ANSWER_SLOW);
		assertThat(earlier.beginRelease(ReleaseRequest.create())).isNotDone();
		time().pass(VirtualClient.LEASE.plusSeconds(1));
		LockToken token = detach(two().acquire("k"));
		assertThat(token.fencingToken()).isLessThan(earlier.fencingToken());
		LeaseHandle adopted = one().adopt(token);
		time().pass(Duration.ofMinutes(1));
		assertThat(adopted.isHeld()).isTrue();
		assertThat(events()).doesNotContain("one lost STOLEN");
	}

	@Test
	void aLockThatWasReleasedByItsTokenIsNotAdopted() {
		LockToken token = detach(one().acquire("k"));
		one().release(token);
		assertThat(two().refusedToAdopt(token)).isEqualTo(LossReason.RELEASED_BY_ADMINISTRATOR);
		assertThat(two().row("k").isReleased()).isTrue();
	}

	@Test
	void aLockThatSomebodyElseHadSinceIsNotAdoptedEvenWhenItIsFree() {
		LockToken token = detach(one().acquire("k"));
		one().release(token);
		two().release(two().acquire("k"));
		assertThat(one().refusedToAdopt(token)).isEqualTo(LossReason.STOLEN);
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void aLockThatExpiredAndWasTakenOverIsNotAdopted() {
		LockToken token = detach(one().acquire("k"));
		LeaseHandle successor = granted(waitFor(two(), "k"));
		assertThat(one().refusedToAdopt(token)).isEqualTo(LossReason.STOLEN);
		assertThat(successor.isHeld()).isTrue();
	}

	@Test
	void aLockWhoseItemWasDeletedIsNotAdopted() {
		LockToken token = detach(one().acquire("k"));
		one().deleteRow("k");
		assertThat(two().refusedToAdopt(token)).isEqualTo(LossReason.ITEM_MISSING);
	}

	@Test
	void aLockThatExpiredButThatNobodyTookIsAdopted() {
		LockToken token = detach(one().acquire("k"));
		time().pass(Duration.ofHours(1));
		assertThat(two().adopt(token).isHeld()).isTrue();
	}

	@Test
	void aStaleTokenDoesNotAdoptALaterOwnersLockHoweverLongThatHasExpired() {
		LockToken stale = detach(one().acquire("k"));
		one().release(stale);
		crash(one(), "k");
		AcquisitionTask look = two().start(LockRequest.of("k"));
		time().pass(LEASE.multipliedBy(2));
		assertThat(refused(look)).isNotNull();
		assertThat(two().refusedToAdopt(stale)).isEqualTo(LossReason.STOLEN);
		assertThat(two().row("k").ownerName()).isEqualTo("one");
	}

	@Test
	void anAdoptionWhoseAnswerWasLostIsRecognised() {
		LockToken token = detach(one().acquire("k"));
		two().environment().next(Fault.ANSWER_LOST);
		AcquisitionTask task = two().startToAdopt(token);
		time().pass(Duration.ofSeconds(6));
		LeaseHandle adopted = granted(task);
		assertThat(adopted.record().recordVersionNumber()).isEqualTo(two().row("k").recordVersionNumber());
		assertThat(adopted.remaining()).isLessThan(LEASE.minusSeconds(5));
		time().pass(Duration.ofMinutes(1));
		assertThat(adopted.isHeld()).isTrue();
	}

	@Test
	void anAdoptionWhoseRequestWasLostIsSentAgain() {
		LockToken token = detach(one().acquire("k"));
		two().environment().next(Fault.REQUEST_LOST);
		AcquisitionTask task = two().startToAdopt(token);
		time().pass(Duration.ofSeconds(6));
		assertThat(granted(task).isHeld()).isTrue();
	}

	@Test
	void anAdopterWhoLeavesInTheMiddleLeavesNothingLocked() {
		LockToken token = detach(one().acquire("k"));
		two().environment().next(Fault.ANSWER_LOST);
		AcquisitionTask task = two().startToAdopt(token);
		task.cancel();
		time().pass(Duration.ofSeconds(6));
		assertThat(task.settled()).isDone();
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
	}

	private static LockToken detach(LeaseHandle lock) {
		return Objects.requireNonNull(lock.detachIfConfirmed());
	}

}

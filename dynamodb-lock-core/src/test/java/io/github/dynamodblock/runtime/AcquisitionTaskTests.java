/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Acquisitions that succeed, fail, are taken over and are left, in virtual time on a real
 * table.
 */
class AcquisitionTaskTests extends VirtualTimeTest {

	@Test
	void anUncontendedCycleIsTwoCalls() {
		LeaseHandle lock = one().acquire("k");
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(one().environment().sent()).isEqualTo(2);
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void aTryThatIsRefusedLeavesNothingToDo() {
		one().acquire("k");
		AcquisitionTask refused = two().start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL);
		assertThat(refused(refused)).isInstanceOf(Step.Denied.class);
		assertThat(refused.settled()).isDone();
		assertThat(two().environment().sent()).isEqualTo(1);
	}

	@Test
	void aCrashedOwnersLockIsTakenOverOneLeaseAfterItWasFirstSeen() {
		crash(one(), "k");
		AcquisitionTask waiter = two().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(LEASE);
		assertThat(isOver(waiter)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void theRequestChoosesTheLeaseThatOthersWaitFor() {
		one().acquire(LockRequest.of("k").leaseDuration(LEASE.multipliedBy(3)).automaticRenewal(false));
		AcquisitionTask waiter = two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(LEASE.multipliedBy(3));
		assertThat(isOver(waiter)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void aClientThatOnlyTriesTakesOverACrashedOwnersLock() {
		crash(one(), "k");
		AcquisitionTask first = two().start(LockRequest.of("k"));
		time().pass(LEASE.plusMillis(100));
		refused(first);
		assertThat(two().acquire("k").isHeld()).isTrue();
	}

	@Test
	void theNextOwnersTokenIsGreaterAfterReleaseAndAfterTakeover() {
		LeaseHandle first = one().acquire("k");
		one().release(first);
		LeaseHandle second = two().acquire("k");
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
		two().environment().sleep(Duration.ofHours(1));
		assertThat(second.isHeld()).isFalse();
		AcquisitionTask third = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(LEASE.plusSeconds(1));
		assertThat(granted(third).fencingToken()).isGreaterThan(second.fencingToken());
	}

	@Test
	void aSuccessfulAcquireWhoseAnswerWasLostIsNotWaitedOut() {
		one().environment().next(Fault.ANSWER_LOST);
		AcquisitionTask task = one().start(LockRequest.of("k"));
		time().pass(Duration.ofSeconds(6));
		LeaseHandle lock = granted(task);
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.remaining()).isLessThan(LEASE.minusSeconds(5));
	}

	@Test
	void aLateDuplicateOfAnAcquireThatWasReleasedFreesItselfOneLeaseLater() {
		one().environment().next(Fault.DELIVERED_TWICE);
		LeaseHandle lock = one().acquire("k");
		one().release(lock);
		time().pass(Duration.ofSeconds(2));
		assertThat(one().row("k").isReleased()).isFalse();
		AcquisitionTask next = waitFor(two(), "k");
		assertThat(granted(next).isHeld()).isTrue();
	}

	@Test
	void aCallerThatLeavesInTheMiddleOfAWriteLeavesNothingLocked() {
		AcquisitionTask task = one().start(LockRequest.of("k"));
		task.cancel();
		time().pass(Duration.ofSeconds(1));
		assertThat(task.settled()).isDone();
		assertThat(two().row("k").isReleased()).isTrue();
	}

	@Test
	void aCallerThatLeavesWhileTheAnswerIsLostLeavesNothingLocked() {
		one().environment().next(Fault.ANSWER_LOST);
		AcquisitionTask task = one().start(LockRequest.of("k"));
		task.cancel();
		time().pass(Duration.ofSeconds(6));
		assertThat(task.settled()).isDone();
		assertThat(two().row("k").isReleased()).isTrue();
	}

	@Test
	void aCallerThatLeavesAfterTheGrantLeavesNothingLockedHoweverLongItWasToBeHeld() {
		AcquisitionTask task = one().start(LockRequest.of("k").holdAtLeast(Duration.ofDays(1)));
		time().pass(VirtualEnvironment.CALL);
		granted(task);
		task.cancel();
		time().pass(Duration.ofSeconds(1));
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
	}

	@Test
	void aFreeLockIsGrantedHoweverShortTheWait() {
		for (Duration wait : List.of(Duration.ZERO, Duration.ofNanos(1), VirtualEnvironment.CALL.dividedBy(2),
				VirtualEnvironment.CALL, VirtualEnvironment.CALL.multipliedBy(2))) {
			AcquisitionTask task = one().start(LockRequest.of("k").waitTime(wait));
			time().pass(VirtualEnvironment.CALL);
			one().release(granted(task));
			time().pass(Duration.ofSeconds(1));
		}
	}

	@Test
	void aLockThatIsReleasedLessThanACallBeforeTheWaitIsOverIsGrantedOrBusy() {
		for (int millis = 60; millis < 160; millis++) {
			LeaseHandle other = two().acquire("k");
			AcquisitionTask task = one().start(LockRequest.of("k").waitTime(Duration.ofMillis(millis)));
			time().pass(Duration.ofMillis(70));
			two().release(other);
			time().pass(Duration.ofMillis(120));
			if (task.outcome().join().handle() == null) {
				assertThat(refused(task)).isInstanceOfSatisfying(Step.Denied.class,
						(denied) -> assertThat(denied.holder()).isNotNull());
			}
			else {
				one().release(granted(task));
			}
			time().pass(Duration.ofSeconds(1));
		}
	}

	@Test
	void aStoreThatHangsOnceTheHolderReleasedIsNotToldAsABusyLock() {
		LeaseHandle other = two().acquire("k");
		AcquisitionTask task = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(1)));
		time().pass(Duration.ofMillis(900));
		two().release(other);
		while (!one().row("k").isReleased()) {
			time().pass(Duration.ofMillis(1));
		}
		// The poll shows a free lock, and whatever is sent then is lost.
		int reads = one().environment().reads();
		while (one().environment().reads() == reads) {
			time().pass(Duration.ofMillis(1));
		}
		silence(one());
		time().pass(Duration.ofSeconds(11));
		assertThat(refused(task)).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("the test lost this answer"));
	}

	@Test
	void aCallUnderWayIsAwaitedForItsOwnLimitWhenTheWaitIsOver() {
		silence(one());
		AcquisitionTask task = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(6)));
		Duration limit = Duration.ofNanos(VirtualClient.TERMS.callLimitNanos());
		time().pass(Duration.ofSeconds(6));
		assertThat(isOver(task)).isFalse();
		time().pass(limit);
		assertThat(refused(task)).isInstanceOf(Step.Failed.class);
	}

	@Test
	void aCallerIsToldWhenCallsHaveHadTheirTimeEvenInTheMiddleOfOne() {
		one().environment().next(Fault.ANSWER_SLOW);
		AcquisitionTask task = one().start(LockRequest.of("k").waitTime(Duration.ofMillis(500)));
		Duration patience = Duration.ofMillis(500).plusNanos(2 * VirtualClient.TERMS.callLimitNanos());
		time().pass(patience.minusNanos(1));
		assertThat(isOver(task)).isFalse();
		time().pass(Duration.ofNanos(1));
		assertThat(refused(task)).isInstanceOf(Step.Failed.class);
	}

	@Test
	void aClaimThatLandsAfterItsCallerHasLeftFreesItselfOneLeaseLater() {
		one().environment().next(Fault.DELIVERED_LATE);
		AcquisitionTask left = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(1)));
		time().pass(Duration.ofMillis(500));
		left.cancel();
		time().pass(Duration.ofMillis(6500));
		assertThat(left.settled()).isDone();
		assertThat(one().row("k").isReleased()).isFalse();
		AcquisitionTask next = waitFor(two(), "k");
		assertThat(granted(next).isHeld()).isTrue();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a holder passes its lock on to the next acquisition of the same client, which
 * claims it without a release before, in virtual time on a real table.
 */
class HandOnTests extends VirtualTimeTest {

	private static final LockRequest PATIENT = LockRequest.of("k").waitTime(Duration.ofMinutes(10));

	@Test
	void aLockThatAnotherThreadOfTheClientWaitsForCostsOneCallForEachHolder() {
		List<AcquisitionTask> waiters = waitInLine(10);
		int before = one().environment().sent();
		List<Long> tokens = new ArrayList<>();
		for (AcquisitionTask waiter : waiters) {
			LeaseHandle lock = granted(waiter);
			tokens.add(lock.fencingToken());
			assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(lock.isHeld()).isFalse();
		}
		assertThat(one().environment().sent() - before).as("9 claims, and the last release").isEqualTo(10);
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void theReleaseReturnsWithoutACallAndItsListenerIsNotified() {
		List<AcquisitionTask> waiters = waitInLine(2);
		LeaseHandle lock = granted(waiters.get(0));
		int before = one().environment().written();
		handOn(lock);
		assertThat(events()).containsExactly("one acquired", "one released");
		assertThat(isOver(waiters.get(1))).isFalse();
		time().pass(VirtualEnvironment.CALL);
		assertThat(granted(waiters.get(1)).isHeld()).isTrue();
		assertThat(one().environment().written() - before).isOne();
	}

	@Test
	void afterSixteenTimesInARowItIsReleasedForClientsThatLeaveNoMark() {
		List<AcquisitionTask> waiters = waitInLine(20);
		int before = one().environment().sent();
		waiters.forEach((waiter) -> {
			time().pass(VirtualEnvironment.CALL);
			one().release(granted(waiter));
		});
		assertThat(one().environment().sent() - before).as("19 claims, and two releases").isEqualTo(21);
	}

	@Test
	void aLockForWhichAnotherClientWaitsIsReleased() {
		List<AcquisitionTask> waiters = waitInLine(3);
		AcquisitionTask other = two().start(PATIENT);
		time().pass(Duration.ofSeconds(1));
		one().release(granted(waiters.get(0)));
		time().pass(VirtualEnvironment.CALL);
		LeaseHandle marked = granted(waiters.get(1));
		one().release(marked);
		assertThat(marked.isContended()).isTrue();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(other).isHeld()).isTrue();
	}

	@Test
	void aReleaseThatChangesTheItemOrDeletesItIsMade() {
		for (ReleaseRequest request : List.of(
				ReleaseRequest.create().change(ItemChange.none().attribute("a", AttributeValue.fromN("1"))),
				ReleaseRequest.create().deleteOnRelease(true))) {
			List<AcquisitionTask> waiters = waitInLine(2);
			assertReleased(waiters, request);
		}
	}

	@Test
	void aWaiterWithAConditionGetsAReleasedLock() {
		LeaseHandle lock = one().acquire("k");
		AcquisitionTask waiter = one().start(PATIENT.condition(ItemCondition.notExists("done")));
		int before = one().environment().sent();
		one().release(lock);
		time().pass(VirtualEnvironment.CALL);
		assertThat(granted(waiter).isHeld()).isTrue();
		assertThat(one().environment().sent() - before).isEqualTo(2);
	}

	@Test
	void aLockWhoseConditionCheckWasGivenAwayIsReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		granted(waiters.get(0)).conditionCheck();
		assertReleased(waiters, ReleaseRequest.create());
	}

	@Test
	void aLockWhoseHeartbeatIsNotConfirmedIsReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		one().environment().next(Fault.ANSWER_LOST);
		time().pass(VirtualClient.TERMS.heartbeatPeriod());
		assertReleased(waiters, ReleaseRequest.create());
	}

	@Test
	void aCallerThatLeavesBeforeItClaimsLeavesTheLockReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		handOn(granted(waiters.get(0)));
		waiters.get(1).cancel();
		time().pass(VirtualEnvironment.CALL.multipliedBy(5));
		assertThat(waiters.get(1).settled()).isDone();
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(two().acquire("k").isHeld()).isTrue();
	}

	@Test
	void aCallerThatLeavesWhoseClaimIsLostLeavesTheLockReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		one().environment().next(Fault.REQUEST_LOST);
		handOn(granted(waiters.get(0)));
		waiters.get(1).cancel();
		time().pass(Duration.ofSeconds(6));
		assertThat(waiters.get(1).settled()).isDone();
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void aClaimThatIsLostIsRepeated() {
		List<AcquisitionTask> waiters = waitInLine(2);
		one().environment().next(Fault.REQUEST_LOST);
		handOn(granted(waiters.get(0)));
		time().pass(Duration.ofSeconds(6));
		assertThat(granted(waiters.get(1)).isHeld()).isTrue();
	}

	@Test
	void aClaimWhoseAnswerIsLostIsRecognised() {
		List<AcquisitionTask> waiters = waitInLine(2);
		LeaseHandle lock = granted(waiters.get(0));
		one().environment().next(Fault.ANSWER_LOST);
		handOn(lock);
		time().pass(Duration.ofSeconds(6));
		assertThat(granted(waiters.get(1)).fencingToken()).isGreaterThan(lock.fencingToken());
	}

	@Test
	void aClientThatClosesMeanwhileLeavesTheLockReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		handOn(granted(waiters.get(0)));
		var closed = one().client().endEverything(true);
		time().pass(Duration.ofSeconds(1));
		assertThat(closed).isCompleted();
		assertThat(two().acquire("k").isHeld()).isTrue();
	}

	@Test
	void aLockThatWasTakenAwayMeanwhileIsWaitedFor() {
		List<AcquisitionTask> waiters = waitInLine(2);
		LeaseHandle lock = granted(waiters.get(0));
		assertThat(two().forceRelease("k", "one")).isEqualTo(ReleaseOutcome.RELEASED);
		LeaseHandle others = two().acquire("k");
		handOn(lock);
		time().pass(Duration.ofSeconds(1));
		assertThat(isOver(waiters.get(1))).isFalse();
		two().release(others);
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(waiters.get(1)).isHeld()).isTrue();
	}

	/** The first of them has the lock. */
	private List<AcquisitionTask> waitInLine(int count) {
		List<AcquisitionTask> waiters = IntStream.range(0, count).mapToObj((i) -> one().start(PATIENT)).toList();
		time().pass(VirtualEnvironment.CALL);
		return waiters;
	}

	/** A release that hands on is over at once: it sends nothing. */
	private static void handOn(LeaseHandle lock) {
		assertThat(lock.beginRelease(ReleaseRequest.create())).isCompletedWithValue(ReleaseOutcome.RELEASED);
	}

	/** The first of two waiters releases its lock, and the other one claims it. */
	private void assertReleased(List<AcquisitionTask> waiters, ReleaseRequest request) {
		int before = one().environment().sent();
		one().release(granted(waiters.get(0)), request);
		time().pass(VirtualEnvironment.CALL);
		LeaseHandle next = granted(waiters.get(1));
		assertThat(one().environment().sent() - before).as("a release and a claim").isEqualTo(2);
		one().release(next);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.WaitQueue;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the callers of one client do to each other, in virtual time on a real table.
 */
class WaitQueueTests extends VirtualTimeTest {

	@Test
	void aTryForALockOfThisClientIsAnsweredWithoutACall() {
		LeaseHandle lock = one().acquire("k");
		int before = one().environment().sent();
		AcquisitionTask task = one().start(LockRequest.of("k"));
		assertThat(refused(task)).isInstanceOfSatisfying(Step.Denied.class,
				(denied) -> assertThat(denied.holder()).isEqualTo(lock.record()));
		assertThat(one().environment().sent()).isEqualTo(before);
	}

	@Test
	void aTryBehindACallThatFailedIsNotToldThatSomebodyHoldsTheLock() {
		one().environment().next(Fault.REQUEST_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST);
		AcquisitionTask first = one().start(LockRequest.of("k"));
		time().pass(Duration.ofSeconds(10));
		assertThat(refused(first)).isInstanceOf(Step.Failed.class);
		assertThat(first.settled()).isNotDone();
		AcquisitionTask next = one().start(LockRequest.of("k"));
		assertThat(refused(next)).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).hasMessageContaining("earlier call from this client"));
		time().pass(Duration.ofSeconds(10));
		assertThat(one().acquire("k").isHeld()).isTrue();
	}

	@Test
	void aWaiterInLineIsToldWhatTheCallAheadShowsWhenItsOwnTimeIsOver() {
		AcquisitionTask first = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(60)));
		AcquisitionTask hasty = one().start(LockRequest.of("k").waitTime(Duration.ofMillis(5)));
		time().pass(Duration.ofMillis(9));
		assertThat(isOver(hasty)).isFalse();
		time().pass(Duration.ofMillis(1));
		LeaseHandle lock = granted(first);
		assertThat(refused(hasty)).isInstanceOfSatisfying(Step.Denied.class,
				(denied) -> assertThat(denied.holder()).isEqualTo(lock.record()));
	}

	@Test
	void aWaiterInLineIsToldWhoHoldsTheLockAsThePollerAheadHasSeen() {
		two().acquire("k");
		one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(60)));
		AcquisitionTask hasty = one().start(LockRequest.of("k").waitTime(Duration.ofMillis(100)));
		time().pass(Duration.ofMillis(100));
		assertThat(refused(hasty)).isInstanceOfSatisfying(Step.Denied.class,
				(denied) -> assertThat(denied.holder()).extracting(LockRecord::ownerName).isEqualTo("two"));
	}

	@Test
	void aWaiterInLineBehindACallThatHangsIsNotToldThatTheLockIsBusy() {
		silence(one());
		one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(60)));
		AcquisitionTask hasty = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(1)));
		time().pass(Duration.ofSeconds(6));
		assertThat(refused(hasty)).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class));
	}

	@Test
	void aWaiterWhoseTurnComesWhenItsTimeIsOverHasAnAttemptOfItsOwn() {
		AcquisitionTask first = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(60)));
		AcquisitionTask hasty = one().start(LockRequest.of("k").waitTime(Duration.ofMillis(5)));
		time().pass(Duration.ofMillis(7));
		first.cancel();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(hasty).isHeld()).isTrue();
	}

	@Test
	void aTryBehindACallerThatLeftIsNotToldOfAStoreThatFails() {
		AcquisitionTask first = one().start(LockRequest.of("k"));
		time().pass(Duration.ofMillis(3));
		first.cancel();
		AcquisitionTask next = one().start(LockRequest.of("k"));
		time().pass(Duration.ofMillis(100));
		assertThat(granted(next).isHeld()).isTrue();
	}

	@Test
	void aTryBehindACallThatHangsFailsAsThatOneDoes() {
		silence(one());
		AcquisitionTask first = one().start(LockRequest.of("k"));
		AcquisitionTask next = one().start(LockRequest.of("k"));
		time().pass(Duration.ofSeconds(1));
		assertThat(isOver(next)).isFalse();
		time().pass(Duration.ofSeconds(10));
		assertThat(List.of(refused(first), refused(next)))
			.allSatisfy((end) -> assertThat(end).isInstanceOfSatisfying(Step.Failed.class,
					(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)));
	}

	@Test
	void aTryBehindACallThatShowsTheHolderIsRefusedWithItAndSendsNone() {
		two().acquire("k");
		AcquisitionTask first = one().start(LockRequest.of("k"));
		AcquisitionTask next = one().start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL);
		assertThat(List.of(refused(first), refused(next)))
			.allSatisfy((end) -> assertThat(end).isInstanceOfSatisfying(Step.Denied.class,
					(denied) -> assertThat(denied.holder()).extracting(LockRecord::ownerName).isEqualTo("two")));
		assertThat(one().environment().sent()).isOne();
	}

	@Test
	void aTryBehindACallThatTakesTheLockIsRefusedWithThisClientAsTheHolder() {
		AcquisitionTask first = one().start(LockRequest.of("k"));
		AcquisitionTask next = one().start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL);
		LockRecord held = granted(first).record();
		assertThat(refused(next)).isInstanceOfSatisfying(Step.Denied.class,
				(denied) -> assertThat(denied.holder()).isEqualTo(held));
	}

	@Test
	void aTryWhileTheTurnOfAReleasedLockIsNotYetOverHasAnAttemptOfItsOwn() {
		WaitQueue queue = one().state().queue();
		LockKey line = LockKey.of("k");
		queue.enter(line, (key) -> {
		});
		AcquisitionTask task = one().start(LockRequest.of("k"));
		assertThat(isOver(task)).isFalse();
		queue.leave(line);
		time().pass(VirtualEnvironment.CALL);
		assertThat(granted(task).isHeld()).isTrue();
	}

	@Test
	void aTryBehindALookThatIsUnderWayIsRefusedAsAnyOther() {
		two().acquire("k");
		AcquisitionTask first = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(60)));
		time().pass(Duration.ofMillis(100));
		int before = one().environment().sent();
		while (one().environment().sent() == before) {
			time().pass(Duration.ofMillis(1));
		}
		first.cancel();
		assertThat(refused(one().start(LockRequest.of("k")))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void waitersOfOneClientComeInTheirOrderAndShareOnePoller() {
		LeaseHandle held = two().acquire("k");
		Duration wait = Duration.ofMinutes(1);
		List<AcquisitionTask> waiters = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			waiters.add(one().start(LockRequest.of("k").waitTime(wait)));
		}
		time().pass(Duration.ofSeconds(1));
		int polls = one().environment().sent();
		assertThat(polls).isLessThan(25);
		two().release(held);
		for (AcquisitionTask waiter : waiters) {
			time().pass(Duration.ofMillis(200));
			one().release(granted(waiter));
		}
	}

	@Test
	void aWaiterBehindAWaiterThatGivesUpGoesOnPolling() {
		two().acquire("k");
		AcquisitionTask hasty = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(1)));
		AcquisitionTask patient = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(30)));
		time().pass(Duration.ofSeconds(2));
		refused(hasty);
		assertThat(two().endEverything(true)).isNotDone();
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(patient).isHeld()).isTrue();
	}

	@Test
	void aWaiterInLineGivesUpAtItsDeadlineAndSaysWhoHoldsTheLock() {
		LeaseHandle lock = one().acquire("k");
		AcquisitionTask waiter = one().start(LockRequest.of("k").waitTime(Duration.ofSeconds(1)));
		time().pass(Duration.ofSeconds(1));
		assertThat(refused(waiter)).isInstanceOfSatisfying(Step.Denied.class,
				(denied) -> assertThat(denied.holder()).extracting(LockRecord::ownerName).isEqualTo("one"));
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aClientThatTakesALockAgainAndAgainLetsAnotherPassThatWaits() {
		LockRequest request = LockRequest.of("k").waitTime(Duration.ofMinutes(10));
		LeaseHandle mine = one().acquire(request);
		AcquisitionTask other = two().start(request);
		int grants = 1;
		for (AcquisitionTask again; !isOver(other) && grants < 40; grants++) {
			one().release(mine);
			again = one().start(request);
			while (!isOver(again) && !isOver(other)) {
				time().pass(Duration.ofMillis(1));
			}
			mine = isOver(again) ? granted(again) : mine;
		}
		assertThat(granted(other).isHeld()).isTrue();
		assertThat(grants).isLessThan(40);
	}

	@Test
	void aClientThatIsAloneNeverPauses() {
		for (int i = 0; i < 200; i++) {
			LeaseHandle lock = one().acquire(LockRequest.of("k").waitTime(Duration.ofMinutes(10)));
			assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		}
		assertThat(one().environment().sent()).isEqualTo(400);
	}

	@Test
	void aCallerPausesForOthersUnlessItsTimeIsTooShortForThat() {
		for (Duration hasty : List.of(Duration.ZERO, Duration.ofMillis(30))) {
			releaseALockThatTwoWantedButWantsNoMore();
			one().release(one().acquire(LockRequest.of("k").waitTime(hasty)));
		}
		releaseALockThatTwoWantedButWantsNoMore();
		AcquisitionTask patient = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(VirtualEnvironment.CALL);
		assertThat(isOver(patient)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(patient).isHeld()).isTrue();
	}

	@Test
	void aTryDoesNotStandBehindACallerThatPauses() {
		releaseALockThatTwoWantedButWantsNoMore();
		AcquisitionTask patient = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		one().release(one().acquire("k"));
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(patient).isHeld()).isTrue();
	}

	@Test
	void aTryDoesNotStandBehindALineWhoseFirstPauses() {
		LeaseHandle wanted = one().acquire("k");
		List<AcquisitionTask> line = Stream
			.generate(() -> one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1))))
			.limit(3)
			.toList();
		AcquisitionTask left = two().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofMillis(2700));
		left.cancel();
		assertThat(wanted.isContended()).isTrue();
		one().release(wanted);
		one().release(one().acquire("k"));
		for (AcquisitionTask waiter : line) {
			time().pass(Duration.ofSeconds(1));
			one().release(granted(waiter));
		}
	}

	@Test
	void theNextInLineFollowsWhenTheFirstLeavesWhileItPauses() {
		WaitQueue queue = new WaitQueue();
		LockKey key = LockKey.of("k");
		List<String> turns = new ArrayList<>();
		WaitQueue.Waiter first = (each) -> turns.add("first");
		WaitQueue.Waiter second = (each) -> turns.add("second");
		WaitQueue.Waiter hasty = (each) -> turns.add("hasty");
		assertThat(queue.enter(key, first)).isTrue();
		assertThat(queue.enter(key, second)).isFalse();
		queue.pause(key, first);
		assertThat(queue.enterIfFree(key, hasty)).isTrue();
		assertThat(queue.enter(key, first)).isFalse();
		queue.leave(key);
		queue.pause(key, first);
		assertThat(queue.withdraw(key, first)).isTrue();
		assertThat(turns).containsExactly("first", "second");
		queue.leave(key);
		assertThat(queue.enterIfFree(key, hasty)).isTrue();
	}

	@Test
	void aCallerThatLeavesWhileItPausesLeavesTheTurnAtOnce() {
		releaseALockThatTwoWantedButWantsNoMore();
		AcquisitionTask leaves = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		leaves.cancel();
		assertThat(leaves.settled()).isDone();
		assertThat(one().acquire("k").isHeld()).isTrue();
	}

	private void releaseALockThatTwoWantedButWantsNoMore() {
		LeaseHandle wanted = one().acquire("k");
		AcquisitionTask left = two().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofMillis(700));
		left.cancel();
		one().release(wanted);
		assertThat(wanted.isContended()).isTrue();
	}

	@Test
	void aHeartbeatShowsThatAnotherClientWaitsAndIsReportedOnce() {
		LeaseHandle wanted = one().acquire("k");
		two().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		assertThat(wanted.isContended()).isFalse();
		time().pass(VirtualClient.LEASE.multipliedBy(2));
		assertThat(wanted.isContended()).isTrue();
		assertThat(events()).containsOnlyOnce("one contended");
	}

	@Test
	void aWaiterOfTheSameClientIsNoOtherClient() {
		LeaseHandle held = one().acquire("k");
		one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(VirtualClient.LEASE);
		assertThat(held.isContended()).isFalse();
	}

}

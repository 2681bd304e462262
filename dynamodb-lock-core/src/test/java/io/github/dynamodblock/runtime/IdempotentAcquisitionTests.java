/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.store.SimulatedTable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks that are acquired in the name of an owner of the caller's, in virtual time on a
 * real table.
 */
class IdempotentAcquisitionTests extends VirtualTimeTest {

	IdempotentAcquisitionTests() {
		super(new SimulatedTable());
	}

	@Test
	void theSameOwnerAcquiresItsLockAgainInAnotherClient() {
		LeaseHandle first = one().acquire(as("a"));
		LeaseHandle second = two().acquire(as("a"));
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
		assertThat(two().row("k").ownerName()).isEqualTo("a");
		time().pass(Duration.ofMinutes(1));
		assertThat(first.lossReason()).hasValue(LossReason.STOLEN);
		assertThat(second.isHeld()).isTrue();
		assertThat(one().release(first)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(two().release(second)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(events()).containsExactly("one acquired", "two acquired", "one lost STOLEN", "two released");
		assertThat(time().pending()).isZero();
	}

	@Test
	void theSameOwnerAcquiresItsLockAgainInOneClientAndTheEarlierHandleIsLostAtOnce() {
		LeaseHandle first = one().acquire(as("a"));
		LeaseHandle second = one().acquire(as("a"));
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
		assertThat(first.isHeld()).isFalse();
		assertThat(first.lossReason()).hasValue(LossReason.STOLEN);
		assertThat(one().client().holds(LockKey.of("k"))).isTrue();
		time().pass(Duration.ofMinutes(1));
		assertThat(second.isHeld()).isTrue();
		assertThat(one().release(first)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(one().row("k").isReleased()).isFalse();
		assertThat(one().release(second)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(events().stream().filter("one lost STOLEN"::equals)).hasSize(1);
		assertThat(events()).hasSize(4);
		assertThat(one().client().holds(LockKey.of("k"))).isFalse();
		assertThat(time().pending()).isZero();
	}

	@Test
	void aReleaseThatIsUnderWayDoesNotFreeWhatItsOwnerHasAcquiredAgain() {
		LeaseHandle first = one().acquire(as("a"));
		AcquisitionTask again = one().start(as("a"));
		var release = first.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(1));
		assertThat(release).isCompletedWithValue(ReleaseOutcome.LOST);
		LeaseHandle second = granted(again);
		time().pass(Duration.ofMinutes(1));
		assertThat(second.isHeld()).isTrue();
		assertThat(events().stream().filter("one lost STOLEN"::equals)).hasSize(1);
	}

	@Test
	void otherOwnersAreRefusedWhileALockIsHeldInTheSameClientAndInOthers() {
		LeaseHandle lock = one().acquire(as("a"));
		for (LockRequest request : List.of(as("b"), LockRequest.of("k"))) {
			for (VirtualClient client : List.of(one(), two())) {
				AcquisitionTask refused = client.start(request);
				time().pass(VirtualEnvironment.CALL);
				assertThat(refused(refused)).isInstanceOfSatisfying(Step.Denied.class,
						(denied) -> assertThat(denied.holder()).isNotNull()
							.satisfies((holder) -> assertThat(holder.ownerName()).isEqualTo("a")));
			}
		}
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void ownersOfOneClientWaitForOneAnotherAndNoneKeepsAnotherFromItsOwnLock() {
		LeaseHandle holder = one().acquire(as("a"));
		List<AcquisitionTask> waiting = new ArrayList<>();
		for (String owner : List.of("b", "c", "d", "e")) {
			waiting.add(one().start(as(owner).waitTime(Duration.ofMinutes(5))));
		}
		time().pass(Duration.ofSeconds(3));
		assertThat(waiting).noneMatch(VirtualClient::isOver);
		for (int i = 0; i < 3; i++) {
			holder = one().acquire(as("a"));
			time().pass(Duration.ofSeconds(3));
		}
		assertThat(one().release(holder)).isEqualTo(ReleaseOutcome.RELEASED);
		while (!waiting.isEmpty()) {
			time().pass(Duration.ofSeconds(1));
			List<AcquisitionTask> over = waiting.stream().filter(VirtualClient::isOver).toList();
			assertThat(over).hasSize(1);
			assertThat(one().release(granted(over.get(0)))).isEqualTo(ReleaseOutcome.RELEASED);
			waiting.removeAll(over);
		}
		assertThat(one().release(one().acquire("k"))).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(time().pending()).isZero();
	}

	@Test
	void waitersOfOneOwnerAreServedInTheOrderInWhichTheyCame() {
		LeaseHandle other = two().acquire("k");
		List<AcquisitionTask> waiting = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			waiting.add(one().start(as("a").waitTime(Duration.ofMinutes(5))));
		}
		time().pass(Duration.ofSeconds(5));
		assertThat(waiting).noneMatch(VirtualClient::isOver);
		two().release(other);
		time().pass(Duration.ofSeconds(5));
		List<LeaseHandle> handles = waiting.stream().map(VirtualClient::granted).toList();
		assertThat(handles).extracting(LeaseHandle::fencingToken).isSorted().doesNotHaveDuplicates();
		assertThat(handles.subList(0, 3)).allMatch((lock) -> lock.lossReason().equals(Optional.of(LossReason.STOLEN)));
		assertThat(handles.get(3).isHeld()).isTrue();
		assertThat(events().stream().filter("one lost STOLEN"::equals)).hasSize(3);
		assertThat(events().stream().filter("one acquired"::equals)).hasSize(4);
		one().release(handles.get(3));
		assertThat(time().pending()).isZero();
	}

	@Test
	void aWaiterOfAnOwnerWhoseTimeEndsLeavesTheWayFreeForTheNext() {
		LeaseHandle other = two().acquire("k");
		AcquisitionTask first = one().start(as("a").waitTime(Duration.ofSeconds(1)));
		AcquisitionTask second = one().start(as("a").waitTime(Duration.ofSeconds(2)));
		AcquisitionTask third = one().start(as("a").waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(5));
		assertThat(refused(first)).isInstanceOf(Step.Denied.class);
		assertThat(refused(second)).isInstanceOf(Step.Denied.class);
		assertThat(isOver(third)).isFalse();
		two().release(other);
		time().pass(Duration.ofSeconds(1));
		one().release(granted(third));
		// The read that follows a refusal comes when the holder's lease would end.
		time().pass(VirtualClient.LEASE);
		assertThat(time().pending()).isZero();
	}

	@Test
	void anOwnersGrantWhoseAnswerWasLostIsRecognised() {
		one().environment().next(Fault.ANSWER_LOST);
		AcquisitionTask task = one().start(as("a"));
		time().pass(Duration.ofSeconds(6));
		LeaseHandle lock = granted(task);
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aClaimThatArrivesTwiceCountsNoSecondTokenThatItsOwnerWouldNotKnow() {
		one().environment().next(Fault.DELIVERED_TWICE);
		LeaseHandle lock = one().acquire(as("a"));
		time().pass(Duration.ofSeconds(2));
		assertThat(one().row("k").fencingToken()).hasValue(lock.fencingToken());
		assertThat(lock.isHeld()).isTrue();
	}

	private static LockRequest as(String owner) {
		return LockRequest.of("k").idempotentFor(owner);
	}

}

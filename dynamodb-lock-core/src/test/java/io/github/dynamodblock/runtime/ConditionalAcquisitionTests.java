/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.acquire.Refusals;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Acquisitions with a condition, in virtual time on a real table. Most of them are for a
 * tick that their own claim notes, so that no other client is granted the lock for it.
 */
class ConditionalAcquisitionTests extends VirtualTimeTest {

	private static final Duration LONG = Duration.ofMinutes(5);

	@Test
	void ofTwoClientsOneIsGrantedTheLockForATickHoweverBriefItsWorkIs() {
		one().release(one().acquire(tick(7)));
		int sent = two().environment().sent();
		AcquisitionTask second = start(two(), tick(7));
		assertThat(refused(second)).isInstanceOf(Step.ConditionNotMet.class);
		assertThat(two().environment().sent() - sent).as("calls, with no read").isEqualTo(1);
		assertThat(second.settled()).isDone();
		assertThat(granted(start(two(), tick(8))).isHeld()).isTrue();
	}

	@Test
	void theCallerAndTheListenersReceiveTheReasonAndTheItem() {
		List<LockException> reasons = new ArrayList<>();
		one().release(one().acquire(tick(7)));
		AcquisitionTask second = start(two(), tick(7).listener(new LockListener() {
			@Override
			public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
				reasons.add(reason);
			}
		}));
		LockException refusal = Refusals.explain(second.terms(), refused(second));
		assertThat(refusal).isInstanceOfSatisfying(ConditionNotMetException.class, (ex) -> {
			assertThat(ex.record().map(LockRecord::attributes).orElseThrow()).containsEntry("tick", number(7));
			assertThat(ex).hasMessage("Lock 'k' was not granted because its item does not meet the condition: "
					+ "NOT attribute_exists(tick) OR tick < ?. No other owner holds the lock");
		});
		time().pass(Duration.ofSeconds(1));
		assertThat(reasons).singleElement(InstanceOfAssertFactories.THROWABLE).hasMessage(refusal.getMessage());
	}

	@Test
	void aHeldLockIsWaitedForAndRefusedWhenItIsFreeAndTheConditionDoesNotHold() {
		LeaseHandle held = one().acquire(tick(7));
		AcquisitionTask same = two().start(tick(7).waitTime(LONG));
		VirtualClient three = client("three", (settings) -> settings);
		AcquisitionTask next = three.start(tick(8).waitTime(LONG));
		time().pass(Duration.ofSeconds(30));
		assertThat(isOver(same)).isFalse();
		assertThat(held.isHeld()).isTrue();
		one().release(held);
		time().pass(Duration.ofSeconds(1));
		assertThat(refused(same)).isInstanceOf(Step.ConditionNotMet.class);
		assertThat(granted(next).isHeld()).isTrue();
	}

	@Test
	void aTryOfAHeldLockIsBusyWhateverItsItemIs() {
		one().acquire(tick(7));
		assertThat(refused(start(two(), tick(7)))).isInstanceOf(Step.Denied.class);
		assertThat(refused(start(two(), tick(8)))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void aCrashedOwnersLockIsTakenOverOnlyIfTheConditionHolds() {
		one().acquire(tick(7));
		silence(one());
		AcquisitionTask same = two().start(tick(7).waitTime(LONG));
		time().pass(VirtualClient.LEASE.plusSeconds(1));
		assertThat(refused(same)).isInstanceOf(Step.ConditionNotMet.class);
		assertThat(one().row("k").isReleased()).isFalse();
		AcquisitionTask next = two().start(tick(8));
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(next).isHeld()).isTrue();
	}

	@Test
	void aTryBehindOneWhoseConditionACrashedOwnersItemDoesNotMeetTakesTheLockOver() {
		one().acquire(tick(7));
		silence(one());
		refused(start(two(), LockRequest.of("k")));
		time().pass(VirtualClient.LEASE.plusSeconds(1));
		AcquisitionTask same = two().start(tick(7));
		AcquisitionTask any = two().start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL.multipliedBy(3));
		assertThat(refused(same)).isInstanceOf(Step.ConditionNotMet.class);
		assertThat(granted(any).isHeld()).isTrue();
	}

	@Test
	void aClaimWhoseAnswerIsLostIsGrantedAlthoughItMadeItsOwnConditionFalse() {
		one().environment().next(Fault.ANSWER_LOST);
		AcquisitionTask task = one().start(tick(7).waitTime(LONG));
		time().pass(Duration.ofSeconds(8));
		LeaseHandle lock = granted(task);
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().item("k")).containsEntry("tick", number(7));
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aRepeatedClaimIsRefusedIfAnotherClientWasGrantedTheTickMeanwhile() {
		one().environment().next(Fault.REQUEST_LOST);
		AcquisitionTask task = one().start(tick(7).waitTime(LONG));
		time().pass(Duration.ofMillis(500));
		two().release(two().acquire(tick(7)));
		time().pass(Duration.ofSeconds(8));
		assertThat(refused(task)).isInstanceOf(Step.ConditionNotMet.class);
		assertThat(task.settled()).isDone();
	}

	@Test
	void heartbeatsRenewalsAndTheReleaseDoNotCarryTheCondition() {
		LeaseHandle lock = one().acquire(tick(7));
		time().pass(Duration.ofMinutes(2));
		one().setAttribute("k", "paused", AttributeValue.fromBool(true));
		time().pass(Duration.ofMinutes(2));
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void waitersOfTheSameClientBehindARefusedOneGetTheirTurn() {
		LeaseHandle held = one().acquire(tick(7));
		AcquisitionTask same = one().start(tick(7).waitTime(LONG));
		AcquisitionTask next = one().start(tick(8).waitTime(LONG));
		one().release(held);
		time().pass(Duration.ofSeconds(2));
		assertThat(refused(same)).isInstanceOf(Step.ConditionNotMet.class);
		assertThat(granted(next).isHeld()).isTrue();
	}

	@Test
	void aLockWithoutItemIsRefusedIfTheConditionNeedsAnAttribute() {
		AcquisitionTask task = start(one(),
				LockRequest.of("k").condition(ItemCondition.equalTo("status", AttributeValue.fromS("open"))));
		assertThat(refused(task)).isEqualTo(new Step.ConditionNotMet(null));
		assertThat(one().item("k")).isEmpty();
	}

	private AcquisitionTask start(VirtualClient client, LockRequest request) {
		AcquisitionTask task = client.start(request);
		time().pass(VirtualEnvironment.CALL.multipliedBy(2));
		return task;
	}

	private static LockRequest tick(int tick) {
		return LockRequest.of("k")
			.condition(ItemCondition.notExists("tick").or(ItemCondition.lessThan("tick", number(tick))))
			.change(ItemChange.none().attribute("tick", number(tick)));
	}

	private static AttributeValue number(int number) {
		return AttributeValue.fromN(Integer.toString(number));
	}

}

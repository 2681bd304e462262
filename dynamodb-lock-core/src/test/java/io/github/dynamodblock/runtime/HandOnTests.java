/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * How a holder passes its lock on to the next acquisition of the same client, without a
 * call and with a fencing token that its claim reserved, in virtual time on a real table.
 */
class HandOnTests extends VirtualTimeTest {

	private static final LockRequest PATIENT = LockRequest.of("k").waitTime(Duration.ofMinutes(10));

	@Test
	void aLockThatAnotherThreadOfTheClientWaitsForIsPassedOnWithoutACall() {
		List<AcquisitionTask> waiters = waitInLine(10);
		int before = one().environment().sent();
		List<Long> tokens = new ArrayList<>();
		for (AcquisitionTask waiter : waiters) {
			LeaseHandle lock = granted(waiter);
			assertThat(lock.isHeld()).isTrue();
			assertThat(lock.record().fencingToken()).hasValue(lock.fencingToken());
			tokens.add(lock.fencingToken());
			assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
			assertThat(lock.isHeld()).isFalse();
		}
		assertThat(one().environment().sent() - before).as("the last release").isOne();
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(two().acquire("k").fencingToken()).isGreaterThan(tokens.get(9));
	}

	@Test
	void theListenersOfBothHoldersAreNotified() {
		List<AcquisitionTask> waiters = waitInLine(2);
		handOn(granted(waiters.get(0)));
		assertThat(granted(waiters.get(1)).isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one released", "one acquired");
	}

	@Test
	void theNextHolderHasTheLockBeforeAListenerOrAnotherCallerOfItsClientIsNotified() {
		List<AcquisitionTask> tasks = new ArrayList<>();
		List<Boolean> announced = new ArrayList<>();
		List<CompletableFuture<Void>> refused = new ArrayList<>();
		tasks.add(one().start(PATIENT.listener(new LockListener() {
			@Override
			public void onReleased(HeldLock lock) {
				announced.add(tasks.get(1).announced().isDone());
				refused.add(one().start(LockRequest.of("k"))
					.announced()
					.thenRun(() -> announced.add(tasks.get(1).announced().isDone())));
			}
		})));
		tasks.add(one().start(PATIENT));
		time().pass(VirtualEnvironment.CALL);
		handOn(granted(tasks.get(0)));
		assertThat(refused).allMatch(CompletableFuture::isDone);
		assertThat(announced).containsExactly(true, true);
	}

	@Test
	void afterThirtyTwoHoldersItIsReleasedForClientsThatLeaveNoMark() {
		List<AcquisitionTask> waiters = waitInLine(40);
		int before = one().environment().sent();
		List<Long> tokens = new ArrayList<>();
		for (AcquisitionTask waiter : waiters) {
			LeaseHandle lock = granted(waiter);
			tokens.add(lock.fencingToken());
			assertThat(lock.beginRelease(ReleaseRequest.create())).isNotCompletedExceptionally();
			if (tokens.size() == 32) {
				time().pass(VirtualEnvironment.CALL.multipliedBy(2));
			}
		}
		time().pass(VirtualEnvironment.CALL);
		assertThat(one().environment().sent() - before).as("two releases, and a claim").isEqualTo(3);
		assertThat(tokens).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void aQuarterOfASecondAfterTheLastCallItIsReleasedForClientsThatWait() {
		List<AcquisitionTask> waiters = waitInLine(3);
		time().pass(Duration.ofMillis(200));
		handOn(granted(waiters.get(0)));
		time().pass(Duration.ofMillis(100));
		assertReleased(waiters.subList(1, 3), ReleaseRequest.create());
	}

	@Test
	void aLockForWhichAnotherClientWaitsIsReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		AcquisitionTask other = two().start(PATIENT);
		time().pass(VirtualClient.TERMS.heartbeatPeriod());
		LeaseHandle lock = granted(waiters.get(0));
		assertThat(lock.isContended()).isTrue();
		one().renew(lock, RenewRequest.create());
		one().release(lock);
		assertThat(isOver(waiters.get(1))).isFalse();
		time().pass(Duration.ofMillis(600));
		assertThat(granted(other).isHeld()).isTrue();
	}

	@Test
	void aLockWhoseClaimShowedThatAnotherClientWaitsIsReleased() {
		one().release(one().acquire("k"));
		one().setAttribute("k", "wantedBy", AttributeValue.fromS("two"));
		assertReleased(waitInLine(2), ReleaseRequest.create());
	}

	@Test
	void aLockWhoseClaimShowedThatAnotherClientWaitsIsContendedFromItsGrantOn() {
		List<String> events = new ArrayList<>();
		LockListener listener = new LockListener() {

			@Override
			public void onAcquired(HeldLock lock) {
				events.add("acquired " + lock.isContended());
			}

			@Override
			public void onContended(HeldLock lock) {
				events.add("contended");
			}

		};
		one().release(one().acquire("k"));
		one().setAttribute("k", "wantedBy", AttributeValue.fromS("two"));
		LeaseHandle lock = one().acquire(LockRequest.of("k").listener(listener));
		assertThat(lock.isContended()).isTrue();
		one().setAttribute("k", "wantedBy", AttributeValue.fromS("two"));
		time().pass(VirtualClient.LEASE);
		assertThat(events).containsExactly("acquired true", "contended");
	}

	@Test
	void aReleaseThatChangesTheItemIsMade() {
		assertReleased(waitInLine(2),
				ReleaseRequest.create().change(ItemChange.none().attribute("a", AttributeValue.fromN("1"))));
	}

	@Test
	void aReleaseThatDeletesTheItemIsMade() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").deleteOnRelease(true));
		assertReleased(lock, one().start(PATIENT), ReleaseRequest.create());
	}

	@Test
	void aWaiterThatWantsSomethingElseThanTheItemShowsGetsAReleasedLock() {
		for (LockRequest request : List.of(PATIENT.condition(ItemCondition.notExists("done")), PATIENT.name("another"),
				PATIENT.automaticRenewal(false), PATIENT.leaseDuration(Duration.ofSeconds(30)),
				PATIENT.change(ItemChange.none().attribute("a", AttributeValue.fromN("1"))))) {
			LeaseHandle lock = one().acquire("k");
			AcquisitionTask waiter = one().start(request);
			assertReleased(lock, waiter, ReleaseRequest.create());
		}
	}

	@Test
	void aWaiterWritesAnAttributeThatWasChangedWithoutTheLockMeanwhile() {
		LockRequest running = PATIENT.change(ItemChange.none().attribute("state", AttributeValue.fromS("running")));
		LeaseHandle lock = one().acquire(running);
		AcquisitionTask waiter = one().start(running);
		one().setAttribute("k", "state", AttributeValue.fromS("paused"));
		one().release(lock);
		await(waiter);
		assertThat(one().item("k")).containsEntry("state", AttributeValue.fromS("running"));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void theNextHolderSendsItsFirstHeartbeatWithinAPeriodOfTheClaim() {
		List<AcquisitionTask> waiters = waitInLine(3);
		time().pass(Duration.ofMillis(120));
		handOn(granted(waiters.get(0)));
		time().pass(Duration.ofMillis(115));
		handOn(granted(waiters.get(1)));
		int before = one().environment().sent();
		time().pass(VirtualClient.TERMS.heartbeatPeriod().minusMillis(235));
		assertThat(one().environment().sent() - before).isOne();
	}

	@Test
	void aLockWhoseConditionCheckWasGivenAwayIsReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		granted(waiters.get(0)).conditionCheck();
		assertReleased(waiters, ReleaseRequest.create());
	}

	@Test
	void aLockWithAGuardedWriteThatIsNotSentYetIsReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		List<Runnable> unsent = new ArrayList<>();
		CompletableFuture<Step.End> write = granted(waiters.get(0)).runner().commit("transaction", unsent::add);
		assertReleased(waiters, ReleaseRequest.create());
		unsent.forEach(Runnable::run);
		assertThat(write).isCompletedWithValue(new Step.NotHeld());
	}

	@Test
	void aLockWhoseHeartbeatIsNotConfirmedIsReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		one().environment().next(Fault.ANSWER_LOST);
		assertThat(granted(waiters.get(0)).demand(RenewRequest.create())).isNotDone();
		assertReleased(waiters, ReleaseRequest.create());
	}

	@Test
	void theNextHolderGuardsItsWritesAndNoOtherHolderDoes() {
		List<AcquisitionTask> waiters = waitInLine(2);
		LeaseHandle first = granted(waiters.get(0));
		handOn(first);
		assertThatIllegalStateException().isThrownBy(first::conditionCheck).withMessageContaining("was released");
		LeaseHandle second = granted(waiters.get(1));
		ConditionCheck check = second.conditionCheck();
		commit(check);
		one().renew(second, RenewRequest.create());
		commit(check);
		one().release(second);
		one().acquire("k");
		assertThatExceptionOfType(TransactionCanceledException.class).isThrownBy(() -> commit(check));
	}

	@Test
	void heartbeatsKeepTheLockOfTheNextHolder() {
		List<AcquisitionTask> waiters = waitInLine(2);
		handOn(granted(waiters.get(0)));
		LeaseHandle lock = granted(waiters.get(1));
		long token = lock.fencingToken();
		time().pass(VirtualClient.LEASE.multipliedBy(3));
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.fencingToken()).isEqualTo(token);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void theNextHolderLosesALockThatNoHeartbeatKeeps() {
		List<AcquisitionTask> waiters = waitInLine(2);
		time().pass(Duration.ofMillis(100));
		handOn(granted(waiters.get(0)));
		silence(one());
		LeaseHandle lock = granted(waiters.get(1));
		assertThat(lock.remaining()).isLessThan(VirtualClient.LEASE.minusMillis(100));
		time().pass(VirtualClient.LEASE);
		assertThat(lock.lossReason()).contains(LossReason.EXPIRED);
	}

	@Test
	void theNextHolderMayDetachTheLock() {
		List<AcquisitionTask> waiters = waitInLine(2);
		handOn(granted(waiters.get(0)));
		LeaseHandle lock = granted(waiters.get(1));
		LockToken token = Optional.ofNullable(lock.detachIfConfirmed()).orElseThrow();
		assertThat(token.fencingToken()).isEqualTo(lock.fencingToken());
		LockToken renewed = two().renew(token);
		assertThat(renewed.fencingToken()).isEqualTo(token.fencingToken());
		assertThat(two().release(token)).as("the token was used up").isEqualTo(ReleaseOutcome.HELD_BY_ANOTHER);
		LeaseHandle adopted = two().adopt(renewed);
		assertThat(adopted.fencingToken()).isGreaterThan(token.fencingToken());
	}

	@Test
	void aLockThatAnAdministratorReleasedIsLostForItsLastHolder() {
		List<AcquisitionTask> waiters = waitInLine(2);
		handOn(granted(waiters.get(0)));
		LeaseHandle lock = granted(waiters.get(1));
		assertThat(two().forceRelease("k", "one")).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(lock.demand(RenewRequest.create())).isNotDone();
		time().pass(VirtualEnvironment.CALL);
		assertThat(lock.lossReason()).contains(LossReason.RELEASED_BY_ADMINISTRATOR);
	}

	@Test
	void aLockThatIsLostIsNotPassedOn() {
		List<AcquisitionTask> waiters = waitInLine(2);
		LeaseHandle lock = granted(waiters.get(0));
		two().forceRelease("k", "one");
		LeaseHandle others = two().acquire("k");
		assertThat(lock.demand(RenewRequest.create())).isNotDone();
		time().pass(VirtualEnvironment.CALL);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		time().pass(Duration.ofSeconds(1));
		assertThat(isOver(waiters.get(1))).isFalse();
		two().release(others);
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(waiters.get(1)).isHeld()).isTrue();
	}

	@Test
	void aCallerThatLeavesWithTheLockLeavesItReleased() {
		List<AcquisitionTask> waiters = waitInLine(2);
		handOn(granted(waiters.get(0)));
		waiters.get(1).cancel();
		time().pass(VirtualEnvironment.CALL.multipliedBy(5));
		assertThat(waiters.get(1).settled()).isDone();
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(two().acquire("k").isHeld()).isTrue();
	}

	@Test
	void aClientThatClosesMeanwhileLeavesTheLockReleased() {
		List<AcquisitionTask> waiters = waitInLine(3);
		handOn(granted(waiters.get(0)));
		var closed = one().endEverything(true);
		time().pass(Duration.ofSeconds(1));
		assertThat(closed).isCompleted();
		assertThat(granted(waiters.get(1)).lossReason()).contains(LossReason.CLOSED);
		assertThat(two().acquire("k").isHeld()).isTrue();
	}

	/** The first of them has the lock. */
	private List<AcquisitionTask> waitInLine(int count) {
		List<AcquisitionTask> waiters = IntStream.range(0, count).mapToObj((i) -> one().start(PATIENT)).toList();
		time().pass(VirtualEnvironment.CALL);
		return waiters;
	}

	private void await(AcquisitionTask waiter) {
		for (int ms = 0; !isOver(waiter) && ms < 60_000; ms += 10) {
			time().pass(Duration.ofMillis(10));
		}
	}

	/** A release that hands on is over at once: it sends nothing. */
	private static void handOn(LeaseHandle lock) {
		assertThat(lock.beginRelease(ReleaseRequest.create())).isCompletedWithValue(ReleaseOutcome.RELEASED);
	}

	/** The first of two waiters releases its lock, and the other one claims it. */
	private void assertReleased(List<AcquisitionTask> waiters, ReleaseRequest request) {
		assertReleased(granted(waiters.get(0)), waiters.get(1), request);
	}

	private void assertReleased(LeaseHandle lock, AcquisitionTask waiter, ReleaseRequest request) {
		assertThat(lock.beginRelease(request)).isNotDone();
		assertThat(isOver(waiter)).isFalse();
		await(waiter);
		one().release(granted(waiter));
	}

	private static void commit(ConditionCheck check) {
		TransactWriteItem item = TransactWriteItem.builder().conditionCheck(check).build();
		TestDynamoDb.client().transactWriteItems((write) -> write.transactItems(item));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.acquire.Refusals;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Locks with several permits, in virtual time on a real table.
 */
class SemaphoreTests extends VirtualTimeTest {

	private static final LockRequest TRY = LockRequest.of("k").permits(3);

	private static final LockRequest PATIENT = TRY.waitTime(Duration.ofMinutes(10));

	private static final Set<LockKey> SLOTS = Set.of(LockKey.of("k#0"), LockKey.of("k#1"), LockKey.of("k#2"));

	/** How many permits were released. */
	private int used;

	@Test
	void asManyAsPermittedHoldItAtOnceWhicheverClientTheyHave() {
		List<LeaseHandle> held = List.of(acquire(one()), acquire(two()), acquire(one()));
		assertThat(held).extracting(LeaseHandle::key).containsExactlyInAnyOrderElementsOf(SLOTS);
		for (VirtualClient client : List.of(one(), two())) {
			AcquisitionTask fourth = client.start(TRY);
			time().pass(Duration.ofSeconds(1));
			assertThat(refused(fourth)).isInstanceOf(Step.Denied.class);
		}
		one().release(held.get(0));
		assertThat(acquire(two()).key()).isEqualTo(held.get(0).key());
	}

	@Test
	void anUncontendedPermitCostsTwoCalls() {
		one().release(acquire(one()));
		assertThat(one().environment().sent()).isEqualTo(2);
	}

	@Test
	void aSlotThatThisClientHoldsIsNotAskedFor() {
		acquire(one());
		acquire(one());
		acquire(one());
		int before = one().environment().sent();
		AcquisitionTask fourth = one().start(TRY);
		assertThat(refused(fourth)).isInstanceOf(Step.Denied.class);
		assertThat(one().environment().sent()).isEqualTo(before);
	}

	@Test
	void callersOfOneClientSendTwoCallsForEachPermitWhileSomeAreFree() {
		int cycles = 10;
		for (int thread = 0; thread < 24; thread++) {
			useAgainAndAgain(one(), cycles, Duration.ofMillis(thread));
		}
		time().pass(Duration.ofSeconds(10));
		assertThat(this.used).isEqualTo(24 * cycles);
		assertThat(one().environment().sent()).isEqualTo(2 * this.used);
	}

	/** Acquires one of 30 permits, holds it for a while, and so on. */
	@SuppressWarnings("FutureReturnValueIgnored") // the test counts what comes of it
	private void useAgainAndAgain(VirtualClient client, int times, Duration held) {
		if (times == 0) {
			return;
		}
		AcquisitionTask task = client.start(LockRequest.of("k").permits(30).waitTime(Duration.ofMinutes(1)));
		task.announced()
			.thenRun(() -> time().at(held.toNanos(),
					() -> granted(task).beginRelease(ReleaseRequest.create()).thenRun(() -> {
						this.used++;
						useAgainAndAgain(client, times - 1, held);
					})));
	}

	@Test
	void clientsBeginWithDifferentSlots() {
		Set<LockKey> first = IntStream.range(0, 30).mapToObj((i) -> {
			LeaseHandle held = acquire(one());
			one().release(held);
			return held.key();
		}).collect(Collectors.toSet());
		assertThat(first).isEqualTo(SLOTS);
	}

	@Test
	void aWaiterReceivesWhicheverSlotIsReleasedFirst() {
		List<LeaseHandle> held = acquireAll(one());
		for (int i = 0; i < 3; i++) {
			AcquisitionTask waiter = two().start(PATIENT);
			time().pass(Duration.ofSeconds(3));
			assertThat(isOver(waiter)).isFalse();
			one().release(held.get(i));
			time().pass(Duration.ofSeconds(1));
			assertThat(granted(waiter).key()).isEqualTo(held.get(i).key());
		}
	}

	@Test
	void waitersOfOneClientAreServedInTheirOrderByASlotEach() {
		List<LeaseHandle> held = acquireAll(one());
		List<AcquisitionTask> waiters = Stream.generate(() -> one().start(PATIENT)).limit(5).toList();
		held.forEach(one()::release);
		time().pass(Duration.ofSeconds(1));
		assertThat(waiters.stream().filter(VirtualClient::isOver)).isEqualTo(waiters.subList(0, 3));
		assertThat(waiters.subList(0, 3)).extracting((task) -> granted(task).key())
			.containsExactlyInAnyOrderElementsOf(SLOTS);
		waiters.subList(0, 3).forEach((task) -> one().release(granted(task)));
		time().pass(Duration.ofSeconds(1));
		assertThat(waiters).allMatch(VirtualClient::isOver);
	}

	@Test
	void theSlotsOfOneWhoHasAlreadyAnotherAreFreeForOthers() {
		List<LeaseHandle> held = acquireAll(one());
		AcquisitionTask waiter = two().start(PATIENT);
		time().pass(Duration.ofSeconds(3));
		held.forEach(one()::release);
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(waiter).isHeld()).isTrue();
		assertThat(waiter.settled()).isDone();
		assertThat(two().client().held()).containsExactly(granted(waiter));
		acquire(one());
		assertThat(acquire(one()).isHeld()).isTrue();
	}

	@Test
	void theSlotOfACrashedOwnerIsTakenOverAfterItsLease() {
		VirtualClient crashed = client("three", (settings) -> settings);
		List<LeaseHandle> held = List.of(acquire(crashed), acquire(one()), acquire(one()));
		AcquisitionTask waiter = two().start(PATIENT);
		time().pass(Duration.ofSeconds(1));
		silence(crashed);
		time().pass(VirtualClient.LEASE.plus(VirtualClient.LEASE.dividedBy(20)));
		assertThat(granted(waiter).key()).isEqualTo(held.get(0).key());
		assertThat(granted(waiter).fencingToken()).isGreaterThan(held.get(0).fencingToken());
		assertThat(held.subList(1, 3)).allMatch(LeaseHandle::isHeld);
	}

	@Test
	void listenersAreNotifiedOnce() {
		List<String> events = new ArrayList<>();
		LockListener listener = new LockListener() {

			@Override
			public void onWaiting(LockRequest request, @Nullable LockRecord holder) {
				events.add("waits for " + request.key());
			}

			@Override
			public void onAcquireFailed(LockRequest request, Duration waited, LockException reason) {
				events.add("failed to acquire " + request.key());
			}

			@Override
			public void onAcquired(HeldLock lock) {
				events.add("acquired a slot");
			}

		};
		List<LeaseHandle> held = acquireAll(one());
		AcquisitionTask waiter = two().start(TRY.waitTime(Duration.ofSeconds(2)).listener(listener));
		time().pass(Duration.ofSeconds(1));
		assertThat(two().client().waiting()).extracting((waiting) -> waiting.request().key())
			.containsExactly(LockKey.of("k"));
		time().pass(Duration.ofSeconds(2));
		assertThat(refused(waiter)).isInstanceOf(Step.Denied.class);
		held.forEach(one()::release);
		two().start(PATIENT.listener(listener));
		time().pass(Duration.ofSeconds(1));
		assertThat(events).containsExactly("waits for k", "failed to acquire k", "acquired a slot");
	}

	@Test
	void aRefusalSaysThatNoPermitIsFree() {
		acquireAll(one());
		// As it is left of a longer wait, and rounded in the message.
		AcquisitionTask fourth = two().start(TRY.waitTime(Duration.ofNanos(2_009_003_001)));
		time().pass(Duration.ofSeconds(3));
		LockException refusal = Refusals.explain(fourth.terms(), refused(fourth));
		assertThat(refusal).isInstanceOf(LockNotGrantedException.class)
			.hasMessageStartingWith(
					"Lock 'k' was not granted within 2 s: none of its 3 permits was granted; one is held by 'one'; its lease");
	}

	@Test
	void aRefusalIsForTheSlotWhoseLeaseEndsFirst() {
		List<Integer> leases = List.of(30, 10, 20);
		for (int slot = 0; slot < 3; slot++) {
			one().acquire(TRY.slot(slot).leaseDuration(Duration.ofSeconds(leases.get(slot))).automaticRenewal(false));
		}
		for (int i = 0; i < 10; i++) {
			AcquisitionTask task = two().start(TRY);
			time().pass(VirtualEnvironment.CALL.multipliedBy(4));
			assertThat(refused(task)).isInstanceOfSatisfying(Step.Denied.class, (denied) -> {
				assertThat(Objects.requireNonNull(denied.holder()).key()).isEqualTo(LockKey.of("k#1"));
				assertThat(denied.leaseRemainingNanos()).isLessThanOrEqualTo(Duration.ofSeconds(10).toNanos());
			});
		}
	}

	@Test
	void aRefusalIsForAHeldSlotBeforeAnUnmetConditionBeforeAMissingItem() {
		LockRequest request = TRY.onlyIfItemExists(true).condition(ItemCondition.exists("ready"));
		assertThatEachTryEnds(request, Step.Absent.class);
		one().release(one().acquire("k#0"));
		assertThatEachTryEnds(request, Step.ConditionNotMet.class);
		one().acquire("k#1");
		assertThatEachTryEnds(request, Step.Denied.class);
	}

	/** Whichever slot each of them begins and ends with. */
	private void assertThatEachTryEnds(LockRequest request, Class<? extends Step.End> how) {
		for (int i = 0; i < 10; i++) {
			AcquisitionTask task = two().start(request);
			time().pass(Duration.ofSeconds(1));
			assertThat(refused(task)).isInstanceOf(how);
		}
	}

	@Test
	void whoLeavesWaitsForNoSlotAnyMore() {
		List<LeaseHandle> held = acquireAll(one());
		List<AcquisitionTask> waiters = Stream.generate(() -> two().start(PATIENT)).limit(2).toList();
		time().pass(Duration.ofSeconds(1));
		waiters.get(0).cancel();
		time().pass(VirtualEnvironment.CALL);
		assertThat(waiters.get(0).settled()).isDone();
		held.forEach(one()::release);
		time().pass(Duration.ofSeconds(1));
		two().release(granted(waiters.get(1)));
		assertThat(two().state().acquiring()).isEmpty();
		assertThat(SLOTS).allMatch((slot) -> two().row(slot.partition()).isReleased());
	}

	@Test
	void aClientThatClosesEndsTheWait() {
		acquireAll(one());
		AcquisitionTask waiter = two().start(PATIENT);
		time().pass(Duration.ofSeconds(1));
		var closed = two().endEverything(true);
		time().pass(Duration.ofSeconds(1));
		assertThat(closed).isCompleted();
		assertThat(refused(waiter)).isInstanceOf(Step.Failed.class);
	}

	@Test
	void aCallThatFailsIsNotTriedWithAnotherSlot() {
		one().environment().next(Fault.REFUSED);
		AcquisitionTask task = one().start(TRY);
		time().pass(Duration.ofSeconds(1));
		assertThat(Refusals.explain(task.terms(), refused(task))).isInstanceOf(LockStoreException.class);
		assertThat(one().environment().sent()).isOne();
		assertThat(task.settled()).isDone();
	}

	@Test
	void withoutAnAnswerThePermitIsNotSoughtElsewhere() {
		one().environment().next(Fault.REQUEST_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST);
		AcquisitionTask task = one().start(TRY);
		time().pass(Duration.ofMinutes(1));
		assertThat(Refusals.explain(task.terms(), refused(task))).isInstanceOf(LockStoreException.class);
		assertThat(SLOTS.stream().filter((slot) -> one().found(slot.partition()).isPresent())).hasSizeLessThan(2);
	}

	@Test
	void theWaitEndsInTimeIfTheLastSlotsTurnOutToBeBusyAfterIt() {
		for (int i = 0; i < 10; i++) {
			String key = "late-" + i;
			one().acquire(key + "#0");
			two().acquire(key + "#1");
			two().acquire(key + "#2");
			AcquisitionTask task = two().start(LockRequest.of(key).permits(3).waitTime(Duration.ofMillis(5)));
			time().pass(Duration.ofSeconds(1));
			assertThat(refused(task)).isInstanceOf(Step.Denied.class);
		}
	}

	@Test
	void aFreeSlotIsTakenWhileItIsTheTurnOfOthersForAnotherSlot() {
		for (int i = 0; i < 6; i++) {
			String key = "contended-" + i;
			LeaseHandle held = one().acquire(key + "#0");
			AcquisitionTask waiter = two().start(LockRequest.of(key + "#0").waitTime(Duration.ofMinutes(10)));
			time().pass(Duration.ofSeconds(9));
			assertThat(held.isContended()).isTrue();
			one().release(held);
			waiter.cancel();
			AcquisitionTask task = one().start(LockRequest.of(key).permits(2).waitTime(Duration.ofMinutes(10)));
			time().pass(VirtualEnvironment.CALL.multipliedBy(2));
			assertThat(granted(task).isHeld()).isTrue();
		}
	}

	@Test
	void afterADecreaseNewOwnersUseTheSlotsThatRemain() {
		acquireAll(one());
		AcquisitionTask fewer = two().start(TRY.permits(2).waitTime(Duration.ofSeconds(1)));
		time().pass(Duration.ofSeconds(2));
		assertThat(refused(fewer)).isInstanceOf(Step.Denied.class);
		one().state()
			.holdings()
			.stream()
			.map((holding) -> (LeaseHandle) holding.handle())
			.filter((handle) -> handle.key().equals(LockKey.of("k#2")))
			.forEach(one()::release);
		AcquisitionTask again = two().start(TRY.permits(2).waitTime(Duration.ofSeconds(1)));
		time().pass(Duration.ofSeconds(2));
		assertThat(refused(again)).isInstanceOf(Step.Denied.class);
	}

	@Test
	void aPermitIsDetachedAndAdoptedByTheKeyOfItsSlot() {
		LeaseHandle held = acquire(one());
		LockToken token = Objects.requireNonNull(held.detachIfConfirmed());
		assertThat(SLOTS).contains(token.key());
		assertThat(two().adopt(token).key()).isEqualTo(held.key());
	}

	@Test
	void aKeyThatIsTooLongForItsSlotsIsRefusedBeforeAnythingIsSent() {
		LockRequest request = LockRequest.of("k".repeat(2047)).permits(2);
		assertThatIllegalArgumentException().isThrownBy(() -> one().start(request)).withMessageContaining("2049 bytes");
		assertThat(one().environment().sent()).isZero();
	}

	@Test
	void theSlotOfOnePermitIsTheLockItself() {
		LockRequest request = LockRequest.of("k").permits(1);
		assertThat(request.slot(0)).isSameAs(request);
		assertThat(request.slot(0).key()).isEqualTo(request.keys().get(0));
		assertThat(TRY.slot(2).slot(0).key()).isEqualTo(LockKey.of("k#2"));
		assertThatIllegalArgumentException().isThrownBy(() -> request.slot(1));
	}

	@Test
	void slotsAreSeparateFromTheLockOfOnePermit() {
		LeaseHandle lock = one().acquire("k");
		assertThat(acquire(two()).isHeld()).isTrue();
		assertThat(lock.key()).isEqualTo(LockKey.of("k"));
	}

	private LeaseHandle acquire(VirtualClient client) {
		AcquisitionTask task = client.start(TRY);
		time().pass(VirtualEnvironment.CALL.multipliedBy(3));
		return granted(task);
	}

	/** All three, which one client holds. */
	private List<LeaseHandle> acquireAll(VirtualClient client) {
		return List.of(acquire(client), acquire(client), acquire(client));
	}

}

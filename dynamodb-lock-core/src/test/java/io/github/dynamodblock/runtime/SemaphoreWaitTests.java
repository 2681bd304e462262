/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Course;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a caller waits for one of several permits, in virtual time on a simulated table.
 */
class SemaphoreWaitTests extends VirtualTimeTest {

	private static final Duration WAIT = Duration.ofMinutes(10);

	private static final LockRequest TWO = LockRequest.of("k").permits(2).waitTime(WAIT);

	SemaphoreWaitTests() {
		super(new SimulatedTable());
	}

	@Test
	void aWaiterForAHundredPermitsPollsAtMostAsOftenAsFourWaitersForALock() {
		LockRequest long20 = LockRequest.of("k").leaseDuration(Duration.ofSeconds(20));
		Stream.generate(() -> one().start(long20.permits(100)))
			.limit(100)
			.forEach((task) -> time().pass(Duration.ofMillis(20)));
		one().start(LockRequest.of("lock").leaseDuration(Duration.ofSeconds(20)));
		time().pass(Duration.ofSeconds(1));
		VirtualClient ofLock = client("three", (settings) -> settings);
		ofLock.start(LockRequest.of("lock").waitTime(WAIT));
		two().start(LockRequest.of("k").permits(100).waitTime(WAIT));
		time().pass(Duration.ofMinutes(1));
		assertThat(two().environment().sent()).isLessThanOrEqualTo(4 * ofLock.environment().sent());
		int before = two().environment().sent();
		int written = two().environment().written();
		time().pass(Duration.ofMinutes(1));
		assertThat(two().environment().sent() - before).isBetween(400, 600);
		assertThat(two().environment().written()).as("but for marks").isEqualTo(written);
	}

	@Test
	void anUncontendedPermitAllocatesHardlyMoreThanALock() {
		bytesForEachCycle("warm-up", 100);
		long lock = bytesForEachCycle("lock", 1);
		assertThat(bytesForEachCycle("semaphore", 100)).isLessThan(lock + lock / 4);
	}

	/** What is allocated, which is the same however fast the machine is. */
	private long bytesForEachCycle(String key, int permits) {
		LockRequest request = LockRequest.of(key).permits(permits);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = 0;
		for (int cycle = 0; cycle < 400; cycle++) {
			before = (cycle == 200) ? threads.getCurrentThreadAllocatedBytes() : before;
			one().release(one().acquire(request));
		}
		return (threads.getCurrentThreadAllocatedBytes() - before) / 200;
	}

	@Test
	void aSlotWhoseCallsHangStopsNoOther() {
		LeaseHandle other = two().acquire(TWO.slot(1));
		one().environment().let((call) -> key(call).equals(LockKey.of("k#0")) ? Course.HANGING : Course.USUAL);
		AcquisitionTask waiter = one().start(TWO);
		time().pass(Duration.ofSeconds(6));
		assertThat(isOver(waiter)).isFalse();
		two().release(other);
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(waiter).key()).isEqualTo(LockKey.of("k#1"));
		time().pass(Duration.ofSeconds(10));
		assertThat(waiter.settled()).isDone();
	}

	private static LockKey key(Step.Call call) {
		return (call instanceof Step.Write write) ? write.write().key()
				: (call instanceof Step.Read read) ? read.key() : ((Step.Mark) call).key();
	}

	@Test
	void whoIsHandedASlotWhileItClaimsAnotherHasItAtOnceAndReturnsTheOther() {
		LeaseHandle others = two().acquire(TWO);
		LeaseHandle mine = one().acquire(TWO.slot(1 - number(others)));
		AcquisitionTask waiter = one().start(TWO);
		time().pass(Duration.ofMillis(30));
		two().release(others);
		awaitClaim(one());
		handOn(mine);
		assertThat(granted(waiter).key()).isEqualTo(mine.key());
		time().pass(Duration.ofSeconds(1));
		assertThat(waiter.settled()).isDone();
		assertThat(one().client().held()).containsExactly(granted(waiter));
		assertThat(two().row(others.key().partition()).isReleased()).isTrue();
		assertThat(two().acquire(TWO).key()).isEqualTo(others.key());
	}

	@Test
	void aClaimWithoutAnAnswerIsCleanedUpAfterAnotherSlotWasHandedOn() {
		LeaseHandle others = two().acquire(TWO);
		LeaseHandle mine = one().acquire(TWO.slot(1 - number(others)));
		AcquisitionTask waiter = one().start(TWO);
		time().pass(Duration.ofMillis(30));
		two().release(others);
		int reads = one().environment().reads();
		while (one().environment().reads() == reads) {
			time().pass(Duration.ofMillis(1));
		}
		one().environment().next(Fault.ANSWER_LOST);
		awaitClaim(one());
		handOn(mine);
		assertThat(granted(waiter).key()).isEqualTo(mine.key());
		time().pass(Duration.ofSeconds(8));
		assertThat(waiter.settled()).isDone();
		assertThat(two().row(others.key().partition()).isReleased()).isTrue();
	}

	@Test
	void theTakeoverOfAnotherSlotIsNotReportedForTheSlotThatWasHandedOn() {
		List<LockRecord> overtaken = new ArrayList<>();
		LockListener listener = new LockListener() {

			@Override
			public void onTakenOver(HeldLock lock, LockRecord previous, Duration silence) {
				overtaken.add(previous);
			}

		};
		LeaseHandle others = two().acquire(TWO);
		silence(two());
		LeaseHandle mine = one().acquire(TWO.slot(1 - number(others)));
		AcquisitionTask waiter = one().start(TWO.listener(listener));
		time().pass(VirtualClient.LEASE.minusMillis(200));
		one().renew(mine, RenewRequest.create());
		awaitClaim(one());
		handOn(mine);
		time().pass(Duration.ofSeconds(2));
		assertThat(granted(waiter).key()).isEqualTo(mine.key());
		assertThat(overtaken).isEmpty();
	}

	private static int number(LeaseHandle slot) {
		return slot.key().equals(LockKey.of("k#0")) ? 0 : 1;
	}

	private void awaitClaim(VirtualClient client) {
		int written = client.environment().written();
		while (client.environment().written() == written) {
			time().pass(Duration.ofMillis(1));
		}
	}

	private static void handOn(LeaseHandle lock) {
		assertThat(lock.beginRelease(ReleaseRequest.create())).isCompletedWithValue(ReleaseOutcome.RELEASED);
	}

}

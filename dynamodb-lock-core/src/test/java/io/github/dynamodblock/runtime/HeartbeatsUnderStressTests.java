/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.VirtualEnvironment.Course;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many locks whose heartbeats are slow, fail or hang, in virtual time.
 */
class HeartbeatsUnderStressTests extends VirtualTimeTest {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Course QUICK = Course.taking(Duration.ofMillis(5));

	private static final Course THROTTLED = new Course(Duration.ofMillis(5), true);

	private final VirtualClient client = client("stressed",
			new LeaseTerms(LEASE, LEASE.dividedBy(4), null, LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE, null, null));

	HeartbeatsUnderStressTests() {
		super(new SimulatedTable());
	}

	@Test
	void heartbeatsThatHangLoseTheirOwnLocksAndNoOther() {
		List<LeaseHandle> healthy = acquire("healthy-", 900);
		List<LeaseHandle> hung = acquire("hung-", 300);
		let((call) -> isOf(call, "hung-") ? Course.HANGING : QUICK);
		time().pass(LEASE.multipliedBy(5));
		assertThat(hung).noneMatch(LeaseHandle::isHeld);
		assertThat(healthy).allMatch(LeaseHandle::isHeld);
		assertThat(events()).filteredOn("stressed expiring"::equals).hasSameSizeAs(hung);
	}

	@Test
	void heartbeatsThatHangForAWhileLoseNoLock() {
		List<LeaseHandle> healthy = acquire("healthy-", 900);
		List<LeaseHandle> hung = acquire("hung-", 50);
		let((call) -> isOf(call, "hung-") ? Course.HANGING : QUICK);
		time().pass(LEASE.dividedBy(3));
		this.client.environment().let((call) -> QUICK);
		time().pass(LEASE.multipliedBy(2));
		assertThat(hung).allMatch(LeaseHandle::isHeld);
		assertThat(healthy).allMatch(LeaseHandle::isHeld);
	}

	@Test
	void throttledHeartbeatsLoseTheirOwnLocksOnlyAndNoOther() {
		List<LeaseHandle> healthy = acquire("healthy-", 300);
		List<LeaseHandle> throttled = acquire("throttled-", 1000);
		let((call) -> isOf(call, "throttled-") ? THROTTLED : QUICK);
		time().pass(LEASE.multipliedBy(5));
		assertThat(throttled).noneMatch(LeaseHandle::isHeld);
		assertThat(healthy).allMatch(LeaseHandle::isHeld);
		assertThat(events()).filteredOn("stressed expiring"::equals).hasSameSizeAs(throttled);
	}

	@Test
	void aThrottledLockIsKeptBesideLocksThatHang() {
		List<LeaseHandle> healthy = acquire("healthy-", 500);
		List<LeaseHandle> throttled = acquire("throttled-", 100);
		acquire("hung-", 300);
		let((call) -> isOf(call, "hung-") ? Course.HANGING : isOf(call, "throttled-") ? THROTTLED : QUICK);
		time().pass(LEASE.dividedBy(4));
		this.client.environment().let((call) -> isOf(call, "hung-") ? Course.HANGING : QUICK);
		time().pass(LEASE.multipliedBy(5));
		assertThat(throttled).allMatch(LeaseHandle::isHeld);
		assertThat(healthy).allMatch(LeaseHandle::isHeld);
	}

	@Test
	void slowHeartbeatsKeepManyLocks() {
		List<LeaseHandle> locks = acquire("slow-", 1500);
		let((call) -> Course.taking(Duration.ofMillis(50)));
		time().pass(LEASE.multipliedBy(10));
		assertThat(locks).allMatch(LeaseHandle::isHeld);
	}

	@Test
	void moreLocksThanCanBeRenewedLoseTheExcessAndKeepTheOthers() {
		List<LeaseHandle> locks = acquire("many-", 2500);
		// 25 heartbeats at a time, of 0.4 s on average, renew 1,200 locks in a lease.
		let((call) -> Course.taking(Duration.ofMillis(300 + Math.floorMod(call.hashCode(), 201))));
		time().pass(LEASE.multipliedBy(2));
		List<LeaseHandle> kept = locks.stream().filter(LeaseHandle::isHeld).toList();
		assertThat(kept).hasSizeGreaterThan(850);
		time().pass(LEASE.multipliedBy(20));
		assertThat(kept).allMatch(LeaseHandle::isHeld);
	}

	@Test
	void aHeartbeatThatFailedOnceIsRepeatedThoughOthersAlwaysWaitForASlot() {
		List<LeaseHandle> locks = acquire("busy-", 1500);
		// 25 heartbeats at a time: 250 a second, while 300 are due.
		let((call) -> (Math.floorMod(call.hashCode(), 50) == 0) ? Course.HANGING
				: Course.taking(Duration.ofMillis(100)));
		time().pass(LEASE.multipliedBy(10));
		assertThat(locks).allMatch(LeaseHandle::isHeld);
	}

	@Test
	void callsThatBecomeAsSlowAsAThirdOfTheLeaseKeepIt() {
		VirtualClient shortLeases = client("short", new LeaseTerms(Duration.ofSeconds(2), Duration.ofMillis(500), null,
				LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE, null, null));
		List<LeaseHandle> locks = IntStream.range(0, 6).mapToObj((i) -> shortLeases.acquire("slow-" + i)).toList();
		shortLeases.environment().let((call) -> Course.taking(Duration.ofMillis(700)));
		time().pass(Duration.ofMinutes(1));
		assertThat(locks).allMatch(LeaseHandle::isHeld);
	}

	/** From now on; before, all heartbeats have got out of step. */
	private void let(Function<Step.Call, Course> courses) {
		time().pass(LEASE.multipliedBy(2));
		this.client.environment().let(courses);
	}

	private static boolean isOf(Step.Call call, String prefix) {
		return call instanceof Step.Write write && write.write().key().partition().startsWith(prefix);
	}

	private List<LeaseHandle> acquire(String prefix, int count) {
		return IntStream.range(0, count).mapToObj((i) -> this.client.acquire(prefix + i)).toList();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The wall clock decides nothing about who holds a lock, wherever it stands. In virtual
 * time on a real table.
 */
class WallClockTests extends VirtualTimeTest {

	@ParameterizedTest
	@ValueSource(longs = { -400, 400 })
	void aWrongClockNeitherStealsALockNorWaitsLongerForADeadOwners(long daysAhead) {
		two().environment().setWallClock(Duration.ofDays(daysAhead));
		LeaseHandle lock = one().acquire("k");
		AcquisitionTask waiter = two().start(LockRequest.of("k").waitTime(Duration.ofMinutes(10)));
		time().pass(LEASE.multipliedBy(2));
		assertThat(isOver(waiter)).isFalse();
		assertThat(lock.isHeld()).isTrue();
		one().environment().sleep(Duration.ofHours(1));
		assertThat(lock.isHeld()).isFalse();
		time().pass(LEASE.plusMillis(100));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(longs = { -400, 400 })
	void anOwnerWithAWrongClockIsProtectedForItsLeaseAndNoLonger(long daysAhead) {
		one().environment().setWallClock(Duration.ofDays(daysAhead));
		crash(one(), "k");
		AcquisitionTask waiter = two().start(LockRequest.of("k").waitTime(Duration.ofMinutes(10)));
		time().pass(LEASE);
		assertThat(isOver(waiter)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(longs = { -400, 400 })
	void settingTheHoldersClockNeitherEndsNorProlongsItsLease(long daysAhead) {
		LeaseHandle lock = one().acquire("k");
		Duration remaining = lock.remaining();
		one().environment().setWallClock(Duration.ofDays(daysAhead));
		assertThat(lock.remaining()).isEqualTo(remaining);
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		one().environment().setWallClock(Duration.ZERO);
		time().pass(Duration.ofMinutes(1));
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void tokensGrowFromOwnerToOwnerAlthoughTheirClocksDisagree() {
		two().environment().setWallClock(Duration.ofDays(-400));
		LeaseHandle first = one().acquire("k");
		one().release(first);
		LeaseHandle second = two().acquire("k");
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
		two().release(second);
		two().deleteRow("k");
		assertThat(two().acquire("k").fencingToken()).isGreaterThan(second.fencingToken());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.TERMS;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that only try, and the locks of owners that crashed: in virtual time on a real
 * table.
 */
class SilentOwnerTakeoverTests extends VirtualTimeTest {

	private static final LockRequest TRY = LockRequest.of("k").awaitSilentOwner(true);

	private static final Duration LATER = LEASE.multipliedBy(5);

	@Test
	void aTryOfAClientThatNeverSawTheOwnerTakesOverFromACrashedOneOneLeaseLate() {
		LeaseHandle job = one().acquire("k");
		time().pass(LEASE.multipliedBy(3));
		silence(one());
		time().pass(LATER);
		assertThat(job.isHeld()).isFalse();
		AcquisitionTask tick = client("new", UnaryOperator.identity()).start(TRY);
		time().pass(LEASE);
		assertThat(isOver(tick)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(tick).isHeld()).isTrue();
		assertThat(granted(tick).fencingToken()).isGreaterThan(job.fencingToken());
	}

	@Test
	void ofAllThatAwaitOneCrashedOwnerExactlyOneTakesOverHoweverBriefItsWork() {
		crash(one(), "k");
		time().pass(LATER);
		AcquisitionTask first = two().start(TRY);
		time().pass(Duration.ofMillis(1));
		AcquisitionTask second = client("three", UnaryOperator.identity()).start(TRY);
		time().pass(LEASE.minusMillis(1));
		while (!isOver(first)) {
			time().pass(Duration.ofMillis(1));
		}
		two().release(granted(first));
		time().pass(LEASE);
		assertThat(refused(second)).isInstanceOf(Step.Denied.class);
	}

	@Test
	void aTryIsRefusedAtOnceWhileTheOwnerRenews() {
		one().acquire("k");
		time().pass(LATER);
		AcquisitionTask tick = two().start(TRY);
		time().pass(VirtualEnvironment.CALL);
		assertThat(refused(tick)).isInstanceOf(Step.Denied.class);
	}

	@ParameterizedTest
	@ValueSource(longs = { -400, 400 })
	void aWrongClockCostsAHeartbeatPeriodAtMostAndStealsNothing(long daysAhead) {
		LeaseHandle job = one().acquire("k");
		time().pass(LATER);
		two().environment().setWallClock(Duration.ofDays(daysAhead));
		AcquisitionTask tick = two().start(TRY);
		time().pass(TERMS.heartbeatPeriod().plus(Duration.ofMillis(500)));
		assertThat(refused(tick)).isInstanceOf(Step.Denied.class);
		assertThat(job.isHeld()).isTrue();
	}

	@Test
	void aCallerWithADeadlineOfItsOwnIsToldWhenTheOwnerHasBeenAwaited() {
		crash(one(), "k");
		time().pass(LATER);
		AcquisitionTask waiter = two().start(TRY.waitTime(Duration.ofSeconds(3)));
		time().pass(LEASE.plusMillis(100));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void aTryThatIsCancelledWhileItAwaitsLeavesNothingToDo() {
		crash(one(), "k");
		time().pass(LATER);
		AcquisitionTask tick = two().start(TRY);
		time().pass(LEASE.dividedBy(2));
		tick.cancel();
		time().pass(VirtualEnvironment.CALL);
		assertThat(tick.settled()).isDone();
		int sent = two().environment().sent();
		time().pass(LEASE.multipliedBy(2));
		assertThat(two().environment().sent()).isEqualTo(sent);
	}

	@Test
	void aTryThatLosesTheStoreWhileItAwaitsFailsInBoundedTime() {
		crash(one(), "k");
		time().pass(LATER);
		AcquisitionTask tick = two().start(TRY);
		time().pass(LEASE.dividedBy(2));
		silence(two());
		time().pass(LEASE.multipliedBy(2));
		assertThat(refused(tick)).isInstanceOf(Step.Failed.class);
	}

}

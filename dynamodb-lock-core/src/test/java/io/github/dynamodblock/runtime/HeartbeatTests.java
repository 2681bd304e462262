/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.runtime.VirtualEnvironment.Course;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Heartbeats, expiry warnings and loss, in virtual time on a real table.
 */
class HeartbeatTests extends VirtualTimeTest {

	@Test
	void heartbeatsKeepALockForAsLongAsItIsHeld() {
		LeaseHandle lock = one().acquire("k");
		time().pass(Duration.ofMinutes(5));
		assertThat(lock.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void heartbeatsComeOncePerPeriod() {
		one().acquire("k");
		int before = one().environment().sent();
		time().pass(Duration.ofSeconds(250));
		assertThat(one().environment().sent() - before).isBetween(98, 112);
	}

	@Test
	void aReleasedLockHasNoMoreHeartbeatsAndLeavesNothingToDo() {
		LeaseHandle lock = one().acquire("k");
		one().release(lock);
		time().pass(Duration.ofMinutes(10));
		assertThat(one().environment().sent()).isEqualTo(2);
		assertThat(time().pending()).isZero();
	}

	@Test
	void oneLostAnswerToAHeartbeatLosesNothing() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void everySecondAnswerLostLosesNothing() {
		LeaseHandle lock = one().acquire("k");
		for (int i = 0; i < 100; i++) {
			one().environment().next(Fault.ANSWER_LOST, Fault.NONE);
		}
		time().pass(Duration.ofMinutes(2));
		assertThat(lock.isHeld()).isTrue();
		assertThat(two().start(LockRequest.of("k"))).isNotNull();
	}

	@Test
	void anOutageShorterThanTheValidityCausesAWarningThatEnds() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.REQUEST_LOST, Fault.REQUEST_LOST);
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one expiring", "one recovered");
	}

	@Test
	void aHungHeartbeatDelaysNeitherTheExpiryWarningNorTheLoss() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_SLOW);
		time().pass(Duration.ofMillis(6600));
		assertThat(events()).containsExactly("one acquired", "one expiring");
		time().pass(Duration.ofMillis(3300));
		assertThat(events()).containsExactly("one acquired", "one expiring", "one lost EXPIRED");
		assertThat(lock.isHeld()).isFalse();
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isFalse();
		assertThat(events()).hasSize(3);
	}

	@Test
	void aLossIsToldOnceAndTheTokenStaysReadable() {
		LeaseHandle lock = one().acquire("k");
		long token = lock.fencingToken();
		one().environment().sleep(Duration.ofHours(1));
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.lossReason()).hasValue(LossReason.EXPIRED);
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.fencingToken()).isEqualTo(token);
		assertThat(events()).containsExactly("one acquired", "one lost EXPIRED");
	}

	@Test
	void renewingOnDemandGivesAWholeLeaseFromNowOn() {
		LeaseHandle lock = one().acquire("k");
		time().pass(Duration.ofMillis(1200));
		Duration before = lock.remaining();
		var renewed = lock.demand(RenewRequest.create());
		time().pass(VirtualEnvironment.CALL);
		assertThat(renewed).isDone();
		assertThat(lock.remaining()).isGreaterThan(before.plusSeconds(1));
	}

	@Test
	void aLateStartOfHeartbeatsChangesNothingOfTheOneUnderWay() {
		List<Duration> limits = new ArrayList<>();
		one().environment().let((call) -> {
			limits.add(Duration.ofNanos(call.limitNanos()));
			return Course.taking((limits.size() == 1) ? Duration.ofSeconds(1) : Duration.ofMillis(400));
		});
		AcquisitionTask task = one().start(LockRequest.of("k"));
		var renewed = task.outcome()
			.thenCompose((outcome) -> VirtualClient.granted(task).demand(RenewRequest.create()));
		time().pass(Duration.ofMillis(1400));
		var renewedAgain = VirtualClient.granted(task).demand(RenewRequest.create());
		assertThat(renewed).isDone();
		assertThat(renewedAgain).isNotDone();
		assertThat(limits).hasSize(3);
		assertThat(limits.get(2)).as("three times as long as the heartbeat took").isEqualTo(Duration.ofMillis(1200));
	}

	@Test
	void aDeletedItemIsNoticedByTheNextHeartbeat() {
		LeaseHandle lock = one().acquire("k");
		time().runDueTasksAtOnce();
		one().deleteRow("k");
		time().pass(Duration.ofSeconds(4));
		assertThat(lock.lossReason()).hasValue(LossReason.ITEM_MISSING);
		assertThat(events()).containsExactly("one acquired", "one lost ITEM_MISSING");
	}

	@Test
	void theReadThatSettlesAMissingItemIsRepeatedWithPauses() {
		one().acquire("k");
		one().deleteRow("k");
		Fault[] answers = new Fault[1000];
		Arrays.fill(answers, Fault.REFUSED);
		answers[0] = Fault.NONE;
		one().environment().next(answers);
		time().pass(Duration.ofSeconds(9));
		assertThat(one().environment().sent()).isBetween(5, 50);
	}

}

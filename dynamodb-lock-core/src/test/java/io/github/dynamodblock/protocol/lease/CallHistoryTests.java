/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.time.Instant;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallHistoryTests {

	private final HeldLease lease = lease(Duration.ofSeconds(20));

	private final CallHistory quick = CallHistory.granted(millis(10));

	@Test
	void aFirstTryThatHangsEndsSoon() {
		assertThat(limit(this.quick, this.lease, 5000)).isBetween(950L, 1000L);
		assertThat(limit(this.quick, lease(Duration.ofSeconds(2)), 500)).isEqualTo(200);
	}

	@Test
	void aRetryOfACallThatHungMayTakeNearlyAllThatIsLeft() {
		CallHistory hung = this.quick.failed(millis(200), lease(Duration.ofSeconds(2)));
		assertThat(hung.hung()).isTrue();
		assertThat(limit(hung, lease(Duration.ofSeconds(2)), 760)).isBetween(990L, 1010L);
		assertThat(limit(hung, this.lease, 6000)).isEqualTo(5000);
	}

	@Test
	void aRetryOfACallThatFailedAtOnceMayTakeNoLongerThanTheFirstTry() {
		CallHistory throttled = this.quick.failed(millis(20), this.lease).failed(millis(20), this.lease);
		assertThat(throttled.hung()).isFalse();
		assertThat(throttled.failures()).isEqualTo(2);
		assertThat(limit(throttled, this.lease, 6000)).isEqualTo(limit(this.quick, this.lease, 6000));
	}

	@Test
	void whereCallsAreSlowAFirstTryMayTakeLonger() {
		CallHistory slow = this.quick.failed(millis(200), lease(Duration.ofSeconds(2))).confirmed(millis(700));
		assertThat(slow.failures()).isZero();
		assertThat(limit(slow, lease(Duration.ofSeconds(2)), 700)).isBetween(1050L, 1070L);
	}

	@Test
	void noCallOutlivesTheLease() {
		assertThat(limit(this.quick.failed(millis(900), this.lease), this.lease, 19_500)).isBetween(90L, 110L);
	}

	private static long limit(CallHistory history, HeldLease lease, long atMillis) {
		return history.limitNanos(lease, new ClockReading(millis(atMillis), millis(atMillis), Instant.EPOCH))
				/ 1_000_000;
	}

	private static HeldLease lease(Duration duration) {
		LeaseTerms terms = new LeaseTerms(duration, duration.dividedBy(4), null, 0.01, null, null);
		LockRecord record = LockRecord.builder(LockKey.of("k"), "alice", duration, "v1").fencingToken(1L).build();
		return HeldLease.granted(record, terms, 0);
	}

	private static long millis(long millis) {
		return millis * 1_000_000;
	}

}

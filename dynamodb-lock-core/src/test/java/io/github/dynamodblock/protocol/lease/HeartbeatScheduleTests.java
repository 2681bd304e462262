/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Given;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class HeartbeatScheduleTests {

	@Test
	void locksOfOneBurstAreSpreadOverHalfThePeriod() {
		LeaseTerms terms = lease(Duration.ofSeconds(20)).terms();
		assertThat(HeartbeatSchedule.first(terms, 0)).isEqualTo(Duration.ofMillis(2500).toNanos());
		assertThat(HeartbeatSchedule.first(terms, 0.5)).isEqualTo(Duration.ofMillis(3750).toNanos());
	}

	@Test
	void heartbeatsComeAPeriodApartOrALittleLess() {
		LeaseTerms terms = lease(Duration.ofSeconds(20)).terms();
		assertThat(HeartbeatSchedule.afterSuccess(terms, 0)).isEqualTo(Duration.ofMillis(4500).toNanos());
		assertThat(HeartbeatSchedule.afterSuccess(terms, 1)).isEqualTo(Duration.ofSeconds(5).toNanos());
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0.1S", "PT2S", "PT20S", "PT1H", "P1D", "P365D" })
	void anOutageIsTriedAgainSeveralTimesButNeverMoreThanCanBeRemembered(Duration leaseDuration) {
		HeldLease lease = lease(leaseDuration);
		long elapsed = 0;
		int tries = 0;
		while (elapsed < lease.deadline()) {
			tries++;
			ClockReading now = new ClockReading(elapsed, elapsed, Given.WALL_CLOCK);
			elapsed += HeartbeatSchedule.afterFailure(tries, lease, now, 0);
		}
		assertThat(tries).isBetween(4, 400);
	}

	private static HeldLease lease(Duration duration) {
		LeaseTerms terms = Given.terms(duration, duration.dividedBy(4), null);
		LockRecord record = LockRecord.builder(KEY, "me", duration, "v1").fencingToken(1L).build();
		return HeldLease.granted(record, terms, at(0).holderNanos());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;

import io.github.dynamodblock.LockRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class PollScheduleTests {

	@ParameterizedTest
	@CsvSource({ "20, 0, 45", "20, 900, 45", "20, 2000, 90", "20, 19000, 400", "3600, 1000000, 500", "1, 900, 45",
			"2, 1900, 50" })
	void looksOftenAtFirstAndThenAsOftenAsTheLeaseIsLong(long leaseSeconds, long ageMillis, long intervalMillis) {
		Observation observation = observation(Duration.ofSeconds(leaseSeconds));
		long next = PollSchedule.next(observation, at(ageMillis), 0.5, null);
		assertThat((next - at(ageMillis).observerNanos()) / 1_000_000).isEqualTo(intervalMillis);
	}

	@Test
	void spreadsLooksByAFifthEitherWay() {
		Observation observation = observation(Duration.ofSeconds(20));
		assertThat(PollSchedule.next(observation, at(0), 0, null)).isEqualTo(at(36).observerNanos());
		assertThat(PollSchedule.next(observation, at(0), 0.9999999, null)).isBetween(at(53).observerNanos(),
				at(54).observerNanos());
	}

	@Test
	void looksWhenTheLeaseEnds() {
		Observation observation = observation(Duration.ofSeconds(20));
		assertThat(PollSchedule.next(observation, at(19_990), 0.5, null)).isEqualTo(at(20_000).observerNanos());
	}

	private static Observation observation(Duration lease) {
		return new Observation(LockRecord.builder(KEY, "them", lease, "v1").build(), 0, 0);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;

import io.github.dynamodblock.LockRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class ObservationTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	@ParameterizedTest
	@CsvSource({ "20, 0, 45", "20, 900, 45", "20, 2000, 90", "20, 19000, 400", "20, 86400000, 400",
			"3600, 1000000, 500", "1, 900, 45", "2, 1900, 50" })
	void pollsAreFrequentAtFirstAndThenAShareOfTheLease(long leaseSeconds, long ageMillis, long intervalMillis) {
		Observation observation = heldSince(0, Duration.ofSeconds(leaseSeconds), ageMillis, ageMillis);
		long next = observation.nextPoll(0.5, null);
		assertThat((next - at(ageMillis).observerNanos()) / 1_000_000).isEqualTo(intervalMillis);
	}

	@Test
	void aHeartbeatDoesNotMakePollsFrequentAgain() {
		Observation beforeTheHeartbeat = heldSince(0, LEASE, 55_000, 60_000);
		Observation afterIt = heldSince(0, LEASE, 60_000, 60_000);
		assertThat(afterIt.nextPoll(0.5, null)).isEqualTo(beforeTheHeartbeat.nextPoll(0.5, null));
		assertThat(afterIt.leaseEnds()).isEqualTo(at(80_000).observerNanos());
	}

	@Test
	void pollsAreSpreadByAFifthEitherWay() {
		Observation observation = heldSince(0, LEASE, 0, 0);
		assertThat(observation.nextPoll(0, null)).isEqualTo(at(36).observerNanos());
		assertThat(observation.nextPoll(0.9999999, null)).isBetween(at(53).observerNanos(), at(54).observerNanos());
	}

	@Test
	void noPollComesAfterTheLeaseEnds() {
		Observation observation = heldSince(0, LEASE, 0, 19_990);
		assertThat(observation.nextPoll(0.5, null)).isEqualTo(at(20_000).observerNanos());
	}

	@Test
	void aFixedPollIntervalIsKeptWhateverTheAge() {
		Observation observation = heldSince(0, LEASE, 5000, 9000);
		assertThat(observation.nextPoll(0.5, Duration.ofSeconds(2))).isEqualTo(at(11_000).observerNanos());
	}

	private static Observation heldSince(long holderMillis, Duration lease, long firstMillis, long lastMillis) {
		return new Observation(LockRecord.builder(KEY, "them", lease, "v1").build(), at(holderMillis).observerNanos(),
				at(firstMillis).observerNanos(), at(lastMillis).observerNanos(), null);
	}

}

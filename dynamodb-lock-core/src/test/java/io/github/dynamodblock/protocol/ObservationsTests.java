/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Duration;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.LEASE;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class ObservationsTests {

	private final Observations observations = new Observations(2);

	@Test
	void remembersFromWhenOnTheVersionStoodStill() {
		saw("a", "v1", 0);
		saw("a", "v1", 1000);
		assertThat(this.observations.find(LockKey.of("a"))).isNotNull()
			.satisfies((seen) -> assertThat(seen.firstSeen()).isEqualTo(at(0).observerNanos()))
			.satisfies((seen) -> assertThat(seen.lastSeen()).isEqualTo(at(1000).observerNanos()));
	}

	@Test
	void aNewVersionStartsAnew() {
		saw("a", "v1", 0);
		saw("a", "v2", 1000);
		assertThat(saw("a", "v1", 2000).firstSeen()).isEqualTo(at(2000).observerNanos());
	}

	@Test
	void aFullMemoryRefusesNewcomersRatherThanForgetWhatIsYoungerThanTwoLeases() {
		saw("a", "v1", 0);
		saw("b", "v1", 0);
		saw("c", "v1", 19_999);
		assertThat(this.observations.find(LockKey.of("a"))).isNotNull();
		assertThat(this.observations.find(LockKey.of("c"))).isNull();
	}

	@Test
	void aFullMemoryForgetsWhatWasNotSeenForTwoLeases() {
		saw("a", "v1", 0);
		saw("b", "v1", 10_000);
		saw("c", "v1", 20_000);
		assertThat(this.observations.find(LockKey.of("a"))).isNull();
		assertThat(this.observations.find(LockKey.of("c"))).isNotNull();
	}

	@Test
	void aFullMemoryForgetsLocksThatNobodyElseHolds() {
		this.observations.sawNobodyElse(record("a", "v1", 7), 0);
		saw("b", "v1", 0);
		saw("c", "v1", 0);
		assertThat(this.observations.find(LockKey.of("c"))).isNotNull();
	}

	@Test
	void oneLongLeaseDoesNotKeepThePlaceOfAllOthers() {
		LockRecord aDay = record("a", "v1", 1).toBuilder().leaseDuration(Duration.ofDays(1)).build();
		this.observations.saw(aDay, at(0).observerNanos(), null);
		saw("b", "v1", 0);
		saw("c", "v1", 20_000);
		assertThat(this.observations.find(LockKey.of("a"))).isNotNull();
		assertThat(this.observations.find(LockKey.of("c"))).isNotNull();
	}

	@Test
	void anAcquisitionThatFindsNoPlaceKeepsItsOwnObservation() {
		saw("a", "v1", 0);
		saw("b", "v1", 0);
		Observation first = saw("c", "v1", 0);
		Observation then = this.observations.saw(record("c", "v1", 1), at(500).observerNanos(), first);
		assertThat(then.firstSeen()).isEqualTo(at(0).observerNanos());
	}

	@Test
	void theHighestTokenOutlivesReleaseAndDeletion() {
		saw("a", "v1", 0);
		this.observations.sawNobodyElse(record("a", "v2", 42), 0);
		this.observations.sawNothing(LockKey.of("a"));
		this.observations.sawNobodyElse(record("a", "v3", 41), 0);
		assertThat(this.observations.highestToken(LockKey.of("a"))).isEqualTo(42);
		assertThat(this.observations.find(LockKey.of("a"))).isNull();
	}

	private Observation saw(String key, String version, long millis) {
		return this.observations.saw(record(key, version, 1), at(millis).observerNanos(), null);
	}

	private static LockRecord record(String key, String version, long token) {
		return LockRecord.builder(LockKey.of(key), "them", LEASE, version).fencingToken(token).build();
	}

}

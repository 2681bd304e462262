/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;
import java.util.Map;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.Given;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.protocol.Given.LEASE;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class ObservationsTests {

	private final Observations observations = new Observations(2);

	@Test
	void remembersSinceWhenTheVersionHasNotChanged() {
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
	void aWriteOfThisClientIsObservedFromWhenItWasSent() {
		this.observations.granted(record("a", "v1", 7), at(100).holderNanos(), at(200));
		assertThat(saw("a", "v1", 9000).firstSeen()).isEqualTo(at(100).observerNanos());
	}

	@Test
	void aHeartbeatOfThisClientStartsItsLeaseAnew() {
		this.observations.granted(record("a", "v1", 7), at(100).holderNanos(), at(200));
		this.observations.wrote(record("a", "v2", 7), at(5000).holderNanos(), at(5100));
		assertThat(saw("a", "v2", 9000).firstSeen()).isEqualTo(at(5000).observerNanos());
		assertThat(saw("a", "v1", 9500).firstSeen()).isEqualTo(at(9500).observerNanos());
	}

	@Test
	void aWriteOfThisClientSaysNothingOfOtherVersionsAndLeases() {
		this.observations.granted(record("a", "v1", 7), at(100).holderNanos(), at(200));
		assertThat(saw("a", "other", 9000).firstSeen()).isEqualTo(at(9000).observerNanos());
		LockRecord longer = record("a", "v1", 7).toBuilder().leaseDuration(LEASE.multipliedBy(2)).build();
		assertThat(this.observations.saw(longer, at(9500).observerNanos(), null).firstSeen())
			.isEqualTo(at(9500).observerNanos());
	}

	@Test
	void aWriteOfThisClientAgesWhileTheMachineSleepsAsTheHandleDoes() {
		this.observations.granted(record("a", "v1", 7), at(100).holderNanos(), at(200, 5200));
		assertThat(saw("a", "v1", 9000).firstSeen()).isEqualTo(at(-4900).observerNanos());
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
	void aFullMemoryForgetsLocksThatNoOtherOwnerHolds() {
		this.observations.sawNoOtherOwner(record("a", "v1", 7), 0);
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
	void aHeartbeatIsANewVersionOfTheSameHolder() {
		saw("a", "v1", 0);
		saw("a", "v1", 4000);
		Observation seen = saw("a", "v2", 5000);
		assertThat(seen.holderSince()).isEqualTo(at(0).observerNanos());
		assertThat(seen.firstSeen()).isEqualTo(at(5000).observerNanos());
		assertThat(seen.leaseEnds()).isEqualTo(at(5000).observerNanos() + LEASE.toNanos());
	}

	@Test
	void anotherTokenOrOwnerIsAnotherHolder() {
		LockRecord first = record("a", "v1", 7);
		LockRecord again = record("a", "v2", 8);
		LockRecord other = LockRecord.builder(LockKey.of("a"), "others", LEASE, "v3").fencingToken(8L).build();
		this.observations.saw(first, at(0).observerNanos(), null);
		assertThat(this.observations.saw(again, at(5000).observerNanos(), null).holderSince())
			.isEqualTo(at(5000).observerNanos());
		assertThat(this.observations.saw(other, at(9000).observerNanos(), null).holderSince())
			.isEqualTo(at(9000).observerNanos());
	}

	@Test
	void aLockThatWasReleasedInBetweenHasANewHolder() {
		saw("a", "v1", 0);
		this.observations.sawNoOtherOwner(record("a", "v2", 1), at(1000).observerNanos());
		assertThat(saw("a", "v3", 2000).holderSince()).isEqualTo(at(2000).observerNanos());
	}

	@Test
	void withoutATokenSlowVersionsAreHeartbeatsAndQuickOnesAreNewHolders() {
		sawWithoutToken("v1", 0);
		sawWithoutToken("v1", 4900);
		assertThat(sawWithoutToken("v2", 5000).holderSince()).isEqualTo(at(0).observerNanos());
		sawWithoutToken("v2", 5040);
		assertThat(sawWithoutToken("v3", 5080).holderSince()).isEqualTo(at(5080).observerNanos());
		assertThat(sawWithoutToken("v3", 5120).holderSince()).isEqualTo(at(5080).observerNanos());
	}

	@Test
	void anAcquisitionThatFindsNoPlaceKnowsItsHolderToo() {
		saw("a", "v1", 0);
		saw("b", "v1", 0);
		Observation first = saw("c", "v1", 0);
		Observation then = this.observations.saw(record("c", "v2", 1), at(5000).observerNanos(), first);
		assertThat(then.holderSince()).isEqualTo(at(0).observerNanos());
		assertThat(then.firstSeen()).isEqualTo(at(5000).observerNanos());
	}

	@Test
	void theHighestTokenOutlivesReleaseAndDeletion() {
		saw("a", "v1", 0);
		this.observations.sawNoOtherOwner(record("a", "v2", 42), 0);
		this.observations.sawNothing(LockKey.of("a"));
		this.observations.sawNoOtherOwner(record("a", "v3", 41), 0);
		assertThat(this.observations.highestToken(LockKey.of("a"))).isEqualTo(42);
		assertThat(this.observations.find(LockKey.of("a"))).isNull();
	}

	@Test
	void whatOthersStoredInTheItemIsNotRemembered() {
		LockRecord big = record("a", "v1", 1).toBuilder()
			.data(new byte[300_000])
			.attributes(Map.of("note", AttributeValue.fromS("x".repeat(50_000))))
			.name("n".repeat(1000))
			.renewedAt(Given.WALL_CLOCK)
			.build();
		Observation seen = this.observations.saw(big, at(0).observerNanos(), null);
		assertThat(seen.record()).as("what the acquisition itself saw").isSameAs(big);
		Observation remembered = this.observations.find(LockKey.of("a"));
		assertThat(remembered).isNotNull();
		LockRecord small = record("a", "v1", 1).toBuilder().renewedAt(Given.WALL_CLOCK).build();
		assertThat(remembered.record()).usingRecursiveComparison().isEqualTo(small);
	}

	private Observation saw(String key, String version, long millis) {
		return this.observations.saw(record(key, version, 1), at(millis).observerNanos(), null);
	}

	private Observation sawWithoutToken(String version, long millis) {
		LockRecord record = LockRecord.builder(LockKey.of("a"), "them", LEASE, version).build();
		return this.observations.saw(record, at(millis).observerNanos(), null);
	}

	private static LockRecord record(String key, String version, long token) {
		return LockRecord.builder(LockKey.of(key), "them", LEASE, version).fencingToken(token).build();
	}

}

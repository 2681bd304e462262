/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.Optional;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Given;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.dynamodblock.protocol.Given.WALL_CLOCK;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class LeaseTermsTests {

	@Test
	void itemsLiveOnForTheTimeToLive() {
		assertThat(terms(Duration.ofSeconds(20), Duration.ofDays(7)).expiresAt(at(0)))
			.isEqualTo(WALL_CLOCK.plus(Duration.ofDays(7)));
	}

	@Test
	void itemsNeverDieWithinADayAndTheLease() {
		assertThat(terms(Duration.ofDays(3), Duration.ofDays(1)).expiresAt(at(0)))
			.isEqualTo(WALL_CLOCK.plus(Duration.ofDays(4)));
	}

	@Test
	void withoutATimeToLiveItemsLiveForEver() {
		assertThat(terms(Duration.ofSeconds(20), null).expiresAt(at(0))).isNull();
	}

	@Test
	void aCallMayTakeHalfTheValidityButNotMoreThanFiveSeconds() {
		assertThat(terms(Duration.ofSeconds(2), null).callLimitNanos()).isBetween(900_000_000L, 1_000_000_000L);
		assertThat(terms(Duration.ofMinutes(2), null).callLimitNanos()).isEqualTo(5_000_000_000L);
	}

	@Test
	void aLeaseIsSaidToEndNoEarlierThanItDoesByTheHoldersClock() {
		LeaseTerms terms = new LeaseTerms(Duration.ofSeconds(2), Duration.ofMillis(500), null, 0.01, null,
				Duration.ofSeconds(1));
		assertThat(terms.timestamps(new ClockReading(0, 0, WALL_CLOCK.plusNanos(1))).leaseEnds())
			.isEqualTo(WALL_CLOCK.plusMillis(2001));
		assertThat(terms.timestamps(new ClockReading(0, 0, WALL_CLOCK)).leaseEnds())
			.isEqualTo(WALL_CLOCK.plusMillis(2000));
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, false", "PT0.5S, false", "PT0.501S, true", "PT4S, true", "PT-0.5S, false", "PT-0.501S, true" })
	void aClockIsOffIfItDiffersFromDynamoDbsByMoreThanHalfTheBound(Duration ahead, boolean off) {
		assertThat(bounded(Duration.ofSeconds(1)).isClockOff(ahead(ahead))).isEqualTo(off);
	}

	@Test
	void whatCannotBeMeasuredIsBelieved() {
		assertThat(bounded(Duration.ofSeconds(1)).isClockOff(new ClockReading(0, 0, WALL_CLOCK))).isFalse();
		Optional<ServiceTime> inexact = Optional.of(new ServiceTime(WALL_CLOCK, WALL_CLOCK.plusSeconds(1)));
		ClockReading ahead = new ClockReading(0, 0, WALL_CLOCK.plusMillis(1_499)).comparedWith(inexact);
		assertThat(bounded(Duration.ofSeconds(1)).isClockOff(ahead)).isFalse();
	}

	@Test
	void withoutABoundNoClockIsOff() {
		assertThat(terms(Duration.ofSeconds(2), null).isClockOff(ahead(Duration.ofDays(1)))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT4S", "PT-4S" })
	void whileTheClockIsOffItSaysNothingAboutTheEndOfALease(Duration ahead) {
		LeaseTerms terms = bounded(Duration.ofSeconds(1));
		LockRecord record = LockRecord.builder(LockKey.of("k"), "other", Duration.ofSeconds(2), "v1")
			.leaseEnds(WALL_CLOCK.minusSeconds(60))
			.build();
		assertThat(terms.nanosByClocks(record, ahead(Duration.ZERO))).isNegative();
		assertThat(terms.nanosByClocks(record, ahead(ahead))).isEqualTo(Long.MAX_VALUE);
		assertThat(terms.timestamps(ahead(Duration.ZERO)).leaseEnds()).isNotNull();
		assertThat(terms.timestamps(ahead(ahead)).leaseEnds()).isNull();
	}

	private static ClockReading ahead(Duration ahead) {
		return new ClockReading(0, 0, WALL_CLOCK.plus(ahead), new ServiceTime(WALL_CLOCK, WALL_CLOCK));
	}

	private static LeaseTerms bounded(Duration bound) {
		return new LeaseTerms(Duration.ofSeconds(2), Duration.ofMillis(500), null, 0.01, null, bound);
	}

	private static LeaseTerms terms(Duration lease, @Nullable Duration timeToLive) {
		return Given.terms(lease, lease.dividedBy(4), timeToLive);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Given;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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

	private static LeaseTerms terms(Duration lease, @Nullable Duration timeToLive) {
		return Given.terms(lease, lease.dividedBy(4), timeToLive);
	}

}

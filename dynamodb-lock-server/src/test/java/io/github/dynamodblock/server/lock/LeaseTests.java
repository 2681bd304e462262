/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseTests {

	private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

	private static final int CASES = 10_000;

	@ParameterizedTest
	@CsvSource({ "60, 100, 60", "100, 100, 100", "101, 100, 100", "86400, 1, 1", "1, 86400, 1" })
	void aLeaseStartsWithWhatIsAskedForAtMostTheLongest(long asked, long longest, long granted) {
		assertThat(Lease.starting(NOW.plusMillis(999), asked, Duration.ofSeconds(longest)))
			.isEqualTo(new Lease(granted, NOW.getEpochSecond() + granted));
	}

	@ParameterizedTest
	@CsvSource({
			// now, lease, expiry, asked, longest: lease and expiry afterwards
			"0, 60, 60, 30, 100, 90, 90", "0, 60, 60, 40, 100, 100, 100", "0, 60, 60, 41, 100, 100, 100",
			"0, 60, 60, 86400, 100, 100, 100", "50, 60, 60, 86400, 100, 150, 150", "60, 60, 60, 1, 100, 61, 61",
			// The longest was longer when the lease began.
			"0, 600, 600, 30, 100, 600, 600" })
	void aLeaseIsProlongedByWhatIsAskedForAtMostToTheLongestFromNow(long now, long lease, long expiry, long asked,
			long longest, long leaseThen, long expiryThen) {
		Lease prolonged = new Lease(lease, NOW.getEpochSecond() + expiry).prolonged(asked, NOW.plusSeconds(now),
				Duration.ofSeconds(longest));

		assertThat(prolonged).isEqualTo(new Lease(leaseThen, NOW.getEpochSecond() + expiryThen));
	}

	@ParameterizedTest
	@CsvSource({
			// now, expiry, asked, longest: lease and expiry afterwards
			"0, 60, 30, 100, 60, 60", "0, 60, 60, 100, 60, 60", "0, 60, 61, 100, 61, 61", "50, 60, 5, 100, 10, 60",
			"50, 60, 86400, 100, 100, 150", "60, 60, 0, 100, 0, 60", "70, 60, 30, 100, 30, 100",
			// The longest was longer when the lease began.
			"0, 600, 30, 100, 600, 600" })
	void aLeaseThatIsAcquiredAgainGetsTheLaterEndAndIsCountedFromNow(long now, long expiry, long asked, long longest,
			long leaseThen, long expiryThen) {
		Lease again = new Lease(1000, NOW.getEpochSecond() + expiry).acquiredAgain(asked,
				NOW.plusSeconds(now).plusMillis(999), Duration.ofSeconds(longest));

		assertThat(again).isEqualTo(new Lease(leaseThen, NOW.getEpochSecond() + expiryThen));
	}

	@ParameterizedTest
	@CsvSource({ "0, false", "10, false", "10.000001, false", "10.999999, false", "11, true", "12, true" })
	void aLeaseIsOverWhenTheSecondOfItsExpiryIs(double secondsLater, boolean over) {
		Lease lease = new Lease(10, NOW.getEpochSecond() + 10);

		assertThat(lease.isOver(NOW.plusNanos(Math.round(secondsLater * 1e9)))).isEqualTo(over);
	}

	@ParameterizedTest
	@CsvSource({ "0, 11000", "1, 10999", "999, 10001", "10000, 1000", "10999, 1" })
	void aLeaseLastsUntilTheSecondOfItsExpiryIsOver(long millisLater, long millis) {
		Lease lease = new Lease(10, NOW.getEpochSecond() + 10);

		assertThat(lease.remaining(NOW.plusMillis(millisLater))).isEqualTo(Duration.ofMillis(millis));
	}

	@Test
	void whateverIsAskedForALeaseNeverEndsTooLateNorGetsShorterAndLeaseAndExpiryGrowAlike() {
		Random random = new Random(42);
		for (int number = 0; number < CASES; number++) {
			Duration longest = Duration.ofSeconds(1 + random.nextInt(100_000));
			Instant now = NOW.plusMillis(random.nextInt(1_000_000));
			Lease lease = Lease.starting(now, 1 + random.nextInt(86_400), longest);
			for (int renewal = 0; renewal < 5; renewal++) {
				now = now.plusMillis(random.nextInt(5_000_000));
				if (lease.isOver(now)) {
					break;
				}
				long asked = 1L + random.nextInt(86_400);
				Lease next = lease.prolonged(asked, now, longest);
				assertThat(next.expiry()).isBetween(lease.expiry(), lease.expiry() + asked)
					.isLessThanOrEqualTo(now.getEpochSecond() + longest.toSeconds());
				assertThat(next.seconds() - lease.seconds()).isEqualTo(next.expiry() - lease.expiry());
				assertThat(next.isOver(now)).isFalse();
				assertThat(next.remaining(now)).isPositive();
				lease = next;
			}
		}
	}

	@Test
	void aLeaseHasAsManySecondsAsItLasts() {
		for (long seconds : List.of(1L, 2L, 60L, 86_400L)) {
			Lease lease = Lease.starting(NOW, seconds, Duration.ofDays(1));

			assertThat(lease.isOver(NOW.plusSeconds(seconds).plusMillis(999))).isFalse();
			assertThat(lease.isOver(NOW.plusSeconds(seconds + 1))).isTrue();
			assertThat(lease.remaining(NOW)).isEqualTo(Duration.ofSeconds(seconds + 1));
		}
	}

}

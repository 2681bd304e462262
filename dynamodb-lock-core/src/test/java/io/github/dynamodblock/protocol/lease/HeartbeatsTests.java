/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.Nanos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class HeartbeatsTests {

	private static final Duration SHORT = Duration.ofSeconds(2);

	private final Renewals lease = lease(Duration.ofSeconds(20));

	private final Heartbeats quick = Heartbeats.granted(0, at(10));

	@Test
	void aFirstTryThatHangsEndsSoon() {
		assertThat(limit(this.quick, this.lease, 5000)).isBetween(950L, 1000L);
		assertThat(limit(this.quick, lease(SHORT), 500)).isEqualTo(200);
	}

	@Test
	void aRetryOfACallThatHungMayTakeNearlyAllThatIsLeft() {
		Heartbeats hung = failed(this.quick, lease(SHORT), 200);
		assertThat(hung.hung()).isTrue();
		assertThat(limit(hung, lease(SHORT), 760)).isBetween(990L, 1010L);
		assertThat(limit(hung, this.lease, 6000)).isEqualTo(5000);
	}

	@Test
	void aRetryOfACallThatFailedAtOnceMayTakeNoLongerThanTheFirstTry() {
		Heartbeats throttled = failed(failed(this.quick, this.lease, 20), this.lease, 20);
		assertThat(throttled.hung()).isFalse();
		assertThat(throttled.failures()).isEqualTo(2);
		assertThat(limit(throttled, this.lease, 6000)).isEqualTo(limit(this.quick, this.lease, 6000));
	}

	@Test
	void whereCallsAreSlowAFirstTryMayTakeLonger() {
		Heartbeats slow = failed(this.quick, lease(SHORT), 200).sending(at(0)).confirmed(at(700));
		assertThat(slow.failures()).isZero();
		assertThat(limit(slow, lease(SHORT), 700)).isBetween(1050L, 1070L);
	}

	@Test
	void noCallOutlivesTheLease() {
		assertThat(limit(failed(this.quick, this.lease, 900), this.lease, 19_500)).isBetween(90L, 110L);
	}

	@Test
	void locksOfOneBurstAreSpreadOverHalfThePeriod() {
		assertThat(Heartbeats.granted(0, at(0)).firstNanos(this.lease, at(0), 0))
			.isEqualTo(Duration.ofMillis(2500).toNanos());
		assertThat(Heartbeats.granted(0, at(0)).firstNanos(this.lease, at(0), 0.5))
			.isEqualTo(Duration.ofMillis(3750).toNanos());
	}

	@Test
	void heartbeatsComeAPeriodApartOrALittleLess() {
		Heartbeats confirmed = this.quick.sending(at(0)).confirmed(at(100));
		assertThat(confirmed.nextNanos(this.lease, at(100), 0)).isEqualTo(Duration.ofMillis(4400).toNanos());
		assertThat(confirmed.nextNanos(this.lease, at(100), 1)).isEqualTo(Duration.ofMillis(4900).toNanos());
	}

	@Test
	void heartbeatsOfManyLocksAreDueTogetherAndNotLate() {
		long delay = Duration.ofMillis(4567).toNanos();
		Set<Long> due = new HashSet<>();
		for (int i = 0; i < 1000; i++) {
			ClockReading now = Given.atNanos(i * 1_000_003L);
			long next = this.quick.dueIn(delay, now).nextAt();
			assertThat(next - now.holderNanos()).isBetween(delay - delay / 50, delay);
			due.add(next);
		}
		assertThat(due).hasSize(101);
	}

	@Test
	void aHeartbeatOfAShortLeaseIsDueAtItsTime() {
		long delay = Duration.ofMillis(499).toNanos();
		assertThat(this.quick.dueIn(delay, Given.atNanos(7)).nextAt())
			.isEqualTo(Given.atNanos(7).holderNanos() + delay);
	}

	@Test
	void aHeartbeatThatIsNeverDueStaysSo() {
		assertThat(this.quick.dueIn(Nanos.NEVER, at(10)).nextAt()).isEqualTo(Nanos.NEVER);
	}

	@Test
	void aHeartbeatComesBeforeHalfOfWhatIsLeftIsOver() {
		Heartbeats confirmed = this.quick.sending(at(15_000)).confirmed(at(15_000));
		long left = this.lease.deadline() - at(15_000).holderNanos();
		assertThat(confirmed.nextNanos(this.lease, at(15_000), 1)).isEqualTo(left / 2);
		assertThat(confirmed.firstNanos(this.lease, at(15_000), 1)).isEqualTo(left / 2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT0.1S", "PT2S", "PT20S", "PT1H", "P1D", "P365D" })
	void anOutageIsTriedAgainSeveralTimesButNeverMoreThanCanBeRemembered(Duration leaseDuration) {
		Renewals lease = lease(leaseDuration);
		Heartbeats heartbeats = Heartbeats.granted(0, Given.atNanos(0));
		long elapsed = 0;
		while (elapsed < lease.deadline()) {
			heartbeats = heartbeats.failed(lease.terms(), null, Given.atNanos(elapsed));
			elapsed += heartbeats.nextNanos(lease, Given.atNanos(elapsed), 0);
		}
		assertThat(heartbeats.failures()).isBetween(4, 400);
	}

	/** After one more call that took so long and was not confirmed. */
	private static Heartbeats failed(Heartbeats heartbeats, Renewals lease, long millis) {
		return heartbeats.sending(at(0)).failed(lease.terms(), null, at(millis));
	}

	private static long limit(Heartbeats heartbeats, Renewals lease, long atMillis) {
		return heartbeats.sending(at(atMillis)).limitNanos(lease.sending("v2", at(0))) / 1_000_000;
	}

	private static Renewals lease(Duration duration) {
		LeaseTerms terms = Given.terms(duration, duration.dividedBy(4), null);
		LockRecord record = LockRecord.builder(KEY, "me", duration, "v1").fencingToken(1L).build();
		return Renewals.granted(record, terms, at(0).holderNanos());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class JobScheduleTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final JobSchedule.Cron MINUTELY = JobSchedule.cron("0 * * * * *", ZoneOffset.UTC);

	@Test
	void isPrintedForPeople() {
		assertThat(new JobSchedule.FixedRate(Duration.ofMinutes(10))).hasToString("every 10 min");
		assertThat(new JobSchedule.FixedDelay(Duration.ofMillis(1500))).hasToString("1.5 s after the last run");
	}

	@Test
	void aTickIsTheLatestFireTimeUnlessTheNextOneIsNear() {
		assertThat(MINUTELY.tick(NOON)).hasValue(NOON);
		assertThat(MINUTELY.tick(NOON.minusSeconds(6))).hasValue(NOON);
		assertThat(MINUTELY.tick(NOON.minusMillis(6_001))).hasValue(NOON.minusSeconds(60));
		assertThat(MINUTELY.tick(NOON.plusMillis(20))).hasValue(NOON);
	}

	@Test
	void aLateCallDoesNotTakeTheNextTick() {
		assertThat(MINUTELY.tick(NOON.plusSeconds(40))).hasValue(NOON);
		JobSchedule.Cron nightly = JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC);
		Instant night = Instant.parse("2026-05-01T02:00:00Z");
		assertThat(nightly.tick(night.plus(Duration.ofHours(20)))).hasValue(night);
		assertThat(nightly.tick(night.plus(Duration.ofDays(1)).minusSeconds(31))).hasValue(night);
		assertThat(nightly.tick(night.minusSeconds(30))).hasValue(night);
	}

	@ParameterizedTest
	@ValueSource(strings = { "* * * * * *", "0 * * * * *", "0 0 * * * *", "0 30 2 * * *", "0 0 9-17/2 * * MON-FRI",
			"0 0 0 L * *", "0 0 12 1 1 *", "0 0 0 29 2 *" })
	void aTickLastsUntilNineTenthsOfTheInterval(String expression) {
		JobSchedule.Cron cron = JobSchedule.cron(expression, ZoneId.of("Europe/Berlin"));
		for (String begin : List.of("2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z")) {
			Instant tick = fireTimeAfter(cron, Instant.parse(begin));
			for (int i = 0; i < 100; i++) {
				Instant next = fireTimeAfter(cron, tick);
				Duration interval = Duration.between(tick, next);
				assertThat(cron.tick(tick)).hasValue(tick);
				assertThat(cron.tick(tick.plus(interval.dividedBy(100)))).hasValue(tick);
				assertThat(cron.tick(tick.plus(interval.multipliedBy(89).dividedBy(100)))).hasValue(tick);
				assertThat(cron.tick(next.minusMillis(10))).hasValue(next);
				tick = next;
			}
		}
	}

	private static Instant fireTimeAfter(JobSchedule.Cron cron, Instant time) {
		return cron.next(time, JobLedger.of(Map.of())).orElseThrow();
	}

	@Test
	void aTickOfIrregularFireTimesIsTheLatestOne() {
		JobSchedule.Cron office = JobSchedule.cron("*/10 0 9 * * MON", ZoneOffset.UTC);
		Instant monday = Instant.parse("2026-05-04T09:00:00Z");
		assertThat(office.tick(monday.plusSeconds(51))).hasValue(monday.plusSeconds(50));
		assertThat(office.tick(monday.plus(Duration.ofDays(2)))).hasValue(monday.plusSeconds(50));
		assertThat(office.tick(monday.plus(Duration.ofDays(5)))).hasValue(monday.plusSeconds(50));
		assertThat(office.tick(monday.minusSeconds(30))).hasValue(monday);
	}

	@Test
	void ticksOfARepeatedHourAreDifferentInstants() {
		JobSchedule.Cron hourly = JobSchedule.cron("0 0 * * * *", ZoneId.of("Europe/Berlin"));
		Instant first = Instant.parse("2026-10-25T00:00:00Z");
		assertThat(hourly.tick(first.plusMillis(5))).hasValue(first);
		assertThat(hourly.tick(first.plusSeconds(3_600))).hasValue(first.plusSeconds(3_600));
		assertThat(hourly.between(first, first.plusSeconds(3 * 3_600), 10)).containsExactly(first.plusSeconds(3_600),
				first.plusSeconds(2 * 3_600));
	}

	@Test
	void anExpressionThatNeverFiresHasNoTick() {
		assertThat(JobSchedule.cron("0 0 0 30 2 *", ZoneOffset.UTC).tick(NOON)).isEmpty();
	}

	@Test
	void theLatestFireTimeHasPassed() {
		assertThat(MINUTELY.latest(NOON, NOON.plusSeconds(59))).isEmpty();
		assertThat(MINUTELY.latest(NOON, NOON.plusSeconds(60))).hasValue(NOON.plusSeconds(60));
		assertThat(MINUTELY.latest(NOON, NOON.plusSeconds(200))).hasValue(NOON.plusSeconds(180));
		assertThat(MINUTELY.latest(NOON, NOON.minusSeconds(200))).isEmpty();
	}

	@Test
	void theIntervalIsTheShortestOne() {
		assertThat(MINUTELY.interval(NOON)).hasValue(Duration.ofMinutes(1));
		assertThat(JobSchedule.cron("0 0,10 * * * *", ZoneOffset.UTC).interval(NOON)).hasValue(Duration.ofMinutes(10));
	}

	@Test
	void aRateAllowsAStartAfterNineTenthsOfThePeriod() {
		JobSchedule rate = new JobSchedule.FixedRate(Duration.ofMinutes(1));
		Map<String, AttributeValue> started = JobLedger.started(NOON, 1, NOON, "node").attributes();
		assertThat(Objects.requireNonNull(rate.due(NOON.plusSeconds(53))).holds(started)).isFalse();
		assertThat(Objects.requireNonNull(rate.due(NOON.plusSeconds(54))).holds(started)).isTrue();
		assertThat(Objects.requireNonNull(rate.due(NOON)).holds(Map.of())).as("a job that never ran").isTrue();
	}

}

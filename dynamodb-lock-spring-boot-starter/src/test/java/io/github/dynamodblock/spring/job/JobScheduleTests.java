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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.support.CronExpression;

import static org.assertj.core.api.Assertions.assertThat;

class JobScheduleTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final JobSchedule.Cron MINUTELY = JobSchedule.cron("0 * * * * *", ZoneOffset.UTC);

	@Test
	void isPrintedForPeople() {
		assertThat(JobSchedule.fixedRate(Duration.ofMinutes(10))).hasToString("every 10 min");
		assertThat(JobSchedule.fixedDelay(Duration.ofMillis(1500))).hasToString("1.5 s after the last run");
	}

	@Test
	void aTickIsTheLatestFireTime() {
		assertThat(MINUTELY.tick(NOON, null)).hasValue(NOON);
		assertThat(MINUTELY.tick(NOON.plusMillis(20), NOON.minusSeconds(60))).hasValue(NOON);
	}

	@Test
	void aLateCallTakesNoLaterTick() {
		Instant before = NOON.minusSeconds(60);
		assertThat(MINUTELY.tick(NOON.plusSeconds(59), before)).hasValue(NOON);
		assertThat(MINUTELY.tick(NOON.plusMillis(59_999), before)).hasValue(NOON);
		JobSchedule.Cron nightly = JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC);
		Instant night = Instant.parse("2026-05-01T02:00:00Z");
		assertThat(nightly.tick(night.plus(Duration.ofHours(24)).minusSeconds(1), night.minus(Duration.ofDays(1))))
			.hasValue(night);
	}

	@Test
	void aSecondCallForATickIsAnEarlyOneForTheNext() {
		assertThat(MINUTELY.tick(NOON.minusSeconds(6), NOON.minusSeconds(60))).hasValue(NOON);
		assertThat(MINUTELY.tick(NOON.minusMillis(6_001), NOON.minusSeconds(60))).hasValue(NOON.minusSeconds(60));
		JobSchedule.Cron nightly = JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC);
		Instant night = Instant.parse("2026-05-01T02:00:00Z");
		Instant before = night.minus(Duration.ofDays(1));
		assertThat(nightly.tick(night.minusSeconds(30), before)).hasValue(night);
		assertThat(nightly.tick(night.minusSeconds(31), before)).hasValue(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "* * * * * *", "0 * * * * *", "0 0 * * * *", "0 30 2 * * *", "0 0 9-17/2 * * MON-FRI",
			"0 0 0 L * *", "0 0 12 1 1 *", "0 0 0 29 2 *" })
	void aTickLastsUntilTheNextOne(String expression) {
		JobSchedule.Cron cron = JobSchedule.cron(expression, ZoneId.of("Europe/Berlin"));
		for (String begin : List.of("2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z")) {
			Instant before = fireTimeAfter(cron, Instant.parse(begin));
			Instant tick = fireTimeAfter(cron, before);
			for (int i = 0; i < 100; i++) {
				Instant next = fireTimeAfter(cron, tick);
				assertThat(cron.tick(tick, before)).hasValue(tick);
				assertThat(cron.tick(tick.plus(Duration.between(tick, next).dividedBy(100)), before)).hasValue(tick);
				assertThat(cron.tick(next.minusMillis(10), before)).as("late").hasValue(tick);
				assertThat(cron.tick(next.minusMillis(10), tick)).as("early").hasValue(next);
				before = tick;
				tick = next;
			}
		}
	}

	private static Instant fireTimeAfter(JobSchedule.Cron cron, Instant time) {
		return cron.next(time).orElseThrow();
	}

	@Test
	void aTickOfIrregularFireTimesIsTheLatestOne() {
		JobSchedule.Cron office = JobSchedule.cron("*/10 0 9 * * MON", ZoneOffset.UTC);
		Instant monday = Instant.parse("2026-05-04T09:00:00Z");
		assertThat(office.tick(monday.plusSeconds(51), null)).hasValue(monday.plusSeconds(50));
		assertThat(office.tick(monday.plus(Duration.ofDays(2)), null)).hasValue(monday.plusSeconds(50));
		assertThat(office.tick(monday.plus(Duration.ofDays(5)), null)).hasValue(monday.plusSeconds(50));
	}

	@Test
	void ticksOfARepeatedHourAreDifferentInstants() {
		JobSchedule.Cron hourly = JobSchedule.cron("0 0 * * * *", ZoneId.of("Europe/Berlin"));
		Instant first = Instant.parse("2026-10-25T00:00:00Z");
		assertThat(hourly.tick(first.plusMillis(5), null)).hasValue(first);
		assertThat(hourly.tick(first.plusSeconds(3_600), first)).hasValue(first.plusSeconds(3_600));
		assertThat(hourly.between(first, first.plusSeconds(3 * 3_600), 10)).containsExactly(first.plusSeconds(3_600),
				first.plusSeconds(2 * 3_600));
	}

	@Test
	void anExpressionThatNeverFiresHasNoTick() {
		assertThat(new JobSchedule.Cron(CronExpression.parse("0 0 0 30 2 *"), ZoneOffset.UTC).tick(NOON, null))
			.isEmpty();
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

}

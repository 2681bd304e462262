/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class JobScheduleTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final JobSchedule.Cron MINUTELY = JobSchedule.cron("0 * * * * *", ZoneOffset.UTC);

	@Test
	void aTickIsTheFireTimeNearestToTheClock() {
		assertThat(MINUTELY.tick(NOON)).hasValue(NOON);
		assertThat(MINUTELY.tick(NOON.minusMillis(29_999))).hasValue(NOON);
		assertThat(MINUTELY.tick(NOON.plusMillis(29_999))).hasValue(NOON);
		assertThat(MINUTELY.tick(NOON.plusMillis(30_001))).hasValue(NOON.plusSeconds(60));
	}

	@Test
	void aTickOfIrregularFireTimesIsTheNearestOne() {
		JobSchedule.Cron office = JobSchedule.cron("*/10 0 9 * * MON", ZoneOffset.UTC);
		Instant monday = Instant.parse("2026-05-04T09:00:00Z");
		assertThat(office.tick(monday.plusSeconds(51))).hasValue(monday.plusSeconds(50));
		assertThat(office.tick(monday.plus(Duration.ofDays(2)))).hasValue(monday.plusSeconds(50));
		assertThat(office.tick(monday.plus(Duration.ofDays(5)))).hasValue(monday.plus(Duration.ofDays(7)));
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.boot.autoconfigure.ReferencePage;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobCrashedEvent;
import io.github.dynamodblock.spring.job.JobFinishedEvent;
import io.github.dynamodblock.spring.job.JobMissedEvent;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobRecord;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.JobStartedEvent;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class JobMetersTests {

	private static final Instant TICK = Instant.parse("2026-11-23T02:00:00Z");

	private static final Pattern DOCUMENTED_METER = Pattern
		.compile("(?m)^\\| `(dynamodb\\.lock\\.job\\.[a-z.]+)` \\| [^|]*\\|([^|]*)\\|");

	private final LockClient client = LockClient.builder(InMemoryDynamoDb.withLockTable("locks")).build();

	private final LockedJob job = job(LockKey.of("nightly-report"), false);

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private Instant now = TICK;

	private final JobMeters meters = new JobMeters(() -> this.registry,
			new JobClock(() -> this.now, Duration.ofSeconds(30)));

	@AfterEach
	void close() {
		this.client.close();
	}

	@Test
	void runsAreTimedByTheirOutcome() {
		this.meters.onEvent(new JobStartedEvent(this.job, TICK, 1, false));
		finished(3, JobOutcome.SUCCEEDED);
		finished(4, JobOutcome.FAILED);
		finished(5, JobOutcome.SUCCEEDED);
		finished(6, JobOutcome.TIMED_OUT);
		assertThat(runs("succeeded").count()).isEqualTo(2);
		assertThat(runs("succeeded").totalTime(TimeUnit.SECONDS)).isEqualTo(8);
		assertThat(runs("failed").count()).isOne();
		assertThat(runs("timed_out").totalTime(TimeUnit.SECONDS)).isEqualTo(6);
		assertThat(runs("interrupted").count()).isZero();
	}

	@Test
	void theTimeSinceTheLastSuccessGrowsUntilTheNextOne() {
		this.meters.onEvent(new JobStartedEvent(this.job, TICK, 1, false));
		finished(3, JobOutcome.SUCCEEDED);
		this.now = TICK.plusSeconds(100);
		finished(3, JobOutcome.FAILED);
		assertThat(sinceSuccess()).isEqualTo(100);
		finished(3, JobOutcome.SUCCEEDED);
		assertThat(sinceSuccess()).isZero();
	}

	@Test
	void theTimeSinceTheLastSuccessOfAJobThatNeverSucceededGrowsFromWhenTheNodeKnewOfIt() {
		this.meters.onRecord(this.job, JobRecord.NONE);
		assertThat(sinceSuccess()).isZero();
		this.now = TICK.plusSeconds(60);
		this.meters.onEvent(new JobStartedEvent(this.job, TICK, 1, false));
		finished(3, JobOutcome.FAILED);
		assertThat(sinceSuccess()).isEqualTo(60);
		this.meters.onRecord(this.job, succeededAt(TICK.minusSeconds(40)));
		assertThat(sinceSuccess()).as("the last success was before that").isEqualTo(100);
	}

	@Test
	void theSuccessOfAnotherNodeCountsWhenItsRecordIsRead() {
		this.now = TICK.plusSeconds(60);
		this.meters.onRecord(this.job, succeededAt(TICK.plusSeconds(20)));
		assertThat(sinceSuccess()).isEqualTo(40);
		this.meters.onRecord(this.job, succeededAt(TICK.plusSeconds(10)));
		assertThat(sinceSuccess()).isEqualTo(40);
	}

	@Test
	void aSuccessOfAClockThatIsAheadDoesNotHideThatNoRunSucceeds() {
		this.meters.onRecord(this.job, succeededAt(TICK.plus(Duration.ofDays(1))));
		this.now = TICK.plusSeconds(60);
		assertThat(sinceSuccess()).isEqualTo(60);
	}

	@Test
	void aTickThatWaitsIsLate() {
		this.meters.onRecord(this.job, JobRecord.NONE);
		assertThat(late()).isZero();
		this.meters.onWaiting(this.job, TICK);
		assertThat(late()).isZero();
		this.now = TICK.plusSeconds(90);
		assertThat(late()).isEqualTo(90);
		this.meters.onWaiting(this.job, null);
		assertThat(late()).isZero();
	}

	@Test
	void theMetersOfAJobWithAKeyAreThoseOfItsName() {
		LockedJob one = job(LockKey.of("nightly-report:1"), true);
		LockedJob other = job(LockKey.of("nightly-report:2"), true);
		this.meters.onEvent(new JobStartedEvent(one, TICK, 1, false));
		finished(one, 1, JobOutcome.SUCCEEDED);
		finished(other, 1, JobOutcome.SUCCEEDED);
		this.meters.onEvent(new JobCrashedEvent(one, TICK, true));
		this.meters.onEvent(new JobMissedEvent(other, List.of(TICK), false));
		this.meters.onRecord(other, JobRecord.NONE);
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getTag("dynamodb.lock.name"))
			.containsOnly("nightly-report");
		assertThat(runs("succeeded").count()).isEqualTo(2);
	}

	@Test
	void aJobWithAKeyIsAsLateAsTheLatestOfItsTicks() {
		LockedJob one = job(LockKey.of("nightly-report:1"), true);
		LockedJob other = job(LockKey.of("nightly-report:2"), true);
		this.meters.onWaiting(one, TICK);
		this.meters.onWaiting(other, TICK.plusSeconds(10));
		this.now = TICK.plusSeconds(90);
		assertThat(late()).isEqualTo(90);
		this.meters.onWaiting(one, null);
		assertThat(late()).isEqualTo(80);
		this.meters.onWaiting(other, null);
		assertThat(late()).isZero();
	}

	@Test
	void crashesRerunsAndMissedTicksAreCounted() {
		this.meters.onEvent(new JobCrashedEvent(this.job, TICK, true));
		this.meters.onEvent(new JobCrashedEvent(this.job, TICK, false));
		this.meters
			.onEvent(new JobMissedEvent(this.job, List.of(TICK, TICK.plusSeconds(1), TICK.plusSeconds(2)), false));
		assertThat(count("crashes")).isEqualTo(2);
		assertThat(count("reruns")).isOne();
		assertThat(count("missed")).isEqualTo(3);
	}

	@Test
	void theDocumentationListsEveryMeterWithItsTags() {
		this.meters.onEvent(new JobStartedEvent(this.job, TICK, 1, false));
		Map<String, String> documented = DOCUMENTED_METER.matcher(ReferencePage.of("operations.md").text())
			.results()
			.collect(Collectors.toMap((row) -> row.group(1), (row) -> row.group(2)));
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.containsAll(documented.keySet())
			.allSatisfy((name) -> assertThat(documented).containsKey(name));
		for (Meter meter : this.registry.getMeters()) {
			assertThat(meter.getId().getTags()).extracting(Tag::getKey)
				.filteredOn((tag) -> !tag.equals("dynamodb.lock.name"))
				.allSatisfy((tag) -> assertThat(documented.get(meter.getId().getName())).contains("`" + tag + "`"));
		}
	}

	private void finished(long seconds, JobOutcome outcome) {
		finished(this.job, seconds, outcome);
	}

	private void finished(LockedJob finished, long seconds, JobOutcome outcome) {
		this.meters
			.onEvent(new JobFinishedEvent(finished, TICK, 1, Duration.ofSeconds(seconds), outcome, Optional.empty()));
	}

	private JobRecord succeededAt(Instant time) {
		this.client.change(this.job.key(), ItemChange.none()
			.attribute("jobLastSuccessAt", AttributeValue.fromN(Long.toString(time.toEpochMilli()))));
		return this.job.record().orElseThrow();
	}

	private LockedJob job(LockKey key, boolean keyed) {
		return new LockedJob("nightly-report", key, keyed, "Reports.nightly",
				JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC), 3, OnMissed.SKIP, null, this.client);
	}

	private Timer runs(String outcome) {
		return this.registry.get("dynamodb.lock.job.runs")
			.tags("dynamodb.lock.name", "nightly-report", "dynamodb.lock.outcome", outcome)
			.timer();
	}

	private double sinceSuccess() {
		return this.registry.get("dynamodb.lock.job.since.success").timeGauge().value(TimeUnit.SECONDS);
	}

	private double late() {
		return this.registry.get("dynamodb.lock.job.late").timeGauge().value(TimeUnit.SECONDS);
	}

	private double count(String what) {
		return this.registry.get("dynamodb.lock.job." + what)
			.tag("dynamodb.lock.name", "nightly-report")
			.counter()
			.count();
	}

}

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
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.boot.autoconfigure.ReferencePage;
import io.github.dynamodblock.spring.job.JobLedger;
import io.github.dynamodblock.spring.job.JobRun;
import io.github.dynamodblock.spring.job.JobSchedule;
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
import static org.assertj.core.api.Assertions.assertThatCode;

class JobMetersTests {

	private static final Instant TICK = Instant.parse("2026-11-23T02:00:00Z");

	private static final Pattern DOCUMENTED_METER = Pattern
		.compile("(?m)^\\| `(dynamodb\\.lock\\.job\\.[a-z.]+)` \\| [^|]*\\|([^|]*)\\|");

	private final LockClient client = LockClient.builder(InMemoryDynamoDb.withLockTable("locks")).build();

	private final LockedJob job = new LockedJob("nightly-report", LockKey.of("nightly-report"), "Reports.nightly",
			JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC), OnCrash.RERUN, 3, OnMissed.SKIP, this.client);

	private final JobRun run = new JobRun(this.job, TICK, 1);

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private Instant now = TICK;

	private final JobMeters meters = new JobMeters(() -> this.registry, () -> this.now);

	@AfterEach
	void close() {
		this.client.close();
	}

	@Test
	void runsAreTimedByTheirOutcome() {
		this.meters.onStarted(this.run);
		this.meters.onFinished(this.run, Duration.ofSeconds(3), null);
		this.meters.onFinished(this.run, Duration.ofSeconds(4), new IllegalStateException());
		this.meters.onFinished(this.run, Duration.ofSeconds(5), null);
		assertThat(runs("succeeded").count()).isEqualTo(2);
		assertThat(runs("succeeded").totalTime(TimeUnit.SECONDS)).isEqualTo(8);
		assertThat(runs("failed").count()).isOne();
	}

	@Test
	void theTimeSinceTheLastSuccessGrowsUntilTheNextOne() {
		this.meters.onStarted(this.run);
		assertThat(sinceSuccess()).isNaN();
		this.meters.onFinished(this.run, Duration.ofSeconds(3), null);
		this.now = TICK.plusSeconds(100);
		this.meters.onFinished(this.run, Duration.ofSeconds(3), new IllegalStateException());
		assertThat(sinceSuccess()).isEqualTo(100);
		this.meters.onFinished(this.run, Duration.ofSeconds(3), null);
		assertThat(sinceSuccess()).isZero();
	}

	@Test
	void theSuccessOfAnotherNodeCountsWhenItsLedgerIsRead() {
		this.now = TICK.plusSeconds(60);
		this.meters.onLedger(this.job, ledger(TICK.plusSeconds(20)));
		assertThat(sinceSuccess()).isEqualTo(40);
		this.meters.onLedger(this.job, ledger(TICK.plusSeconds(10)));
		assertThat(sinceSuccess()).isEqualTo(40);
	}

	@Test
	void crashesRerunsAndMissedTicksAreCounted() {
		this.meters.onCrashed(this.run, true);
		this.meters.onCrashed(this.run, false);
		this.meters.onMissed(this.job, List.of(TICK, TICK.plusSeconds(1), TICK.plusSeconds(2)), false);
		assertThat(count("crashes")).isEqualTo(2);
		assertThat(count("reruns")).isOne();
		assertThat(count("missed")).isEqualTo(3);
	}

	@Test
	void aRegistryThatFailsHarmsNoRun() {
		JobMeters failing = new JobMeters(() -> {
			throw new IllegalStateException("no registry");
		}, () -> this.now);
		assertThatCode(() -> {
			failing.onStarted(this.run);
			failing.onFinished(this.run, Duration.ofSeconds(1), null);
			failing.onCrashed(this.run, true);
			failing.onMissed(this.job, List.of(TICK), true);
		}).doesNotThrowAnyException();
	}

	@Test
	void theDocumentationListsEveryMeterWithItsTags() {
		this.meters.onStarted(this.run);
		Map<String, String> documented = DOCUMENTED_METER.matcher(ReferencePage.of("operations.md").text())
			.results()
			.collect(Collectors.toMap((row) -> row.group(1), (row) -> row.group(2)));
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.containsAll(documented.keySet())
			.allSatisfy((name) -> assertThat(documented).containsKey(name));
		for (Meter meter : this.registry.getMeters()) {
			assertThat(meter.getId().getTags()).extracting(Tag::getKey)
				.filteredOn((tag) -> !tag.equals("name"))
				.allSatisfy((tag) -> assertThat(documented.get(meter.getId().getName())).contains("`" + tag + "`"));
		}
	}

	private static JobLedger ledger(Instant lastSuccess) {
		return JobLedger
			.of(Map.of("jobLastSuccessAt", AttributeValue.fromN(Long.toString(lastSuccess.toEpochMilli()))));
	}

	private Timer runs(String outcome) {
		return this.registry.get("dynamodb.lock.job.runs").tags("name", "nightly-report", "outcome", outcome).timer();
	}

	private double sinceSuccess() {
		return this.registry.get("dynamodb.lock.job.since.success").timeGauge().value(TimeUnit.SECONDS);
	}

	private double count(String what) {
		return this.registry.get("dynamodb.lock.job." + what).tag("name", "nightly-report").counter().count();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The test is the clock and the timer. */
class JobRunsTests implements JobClock {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private final LockClient client = Mockito.mock(LockClient.class);

	private final Queue<Runnable> timer = new ArrayDeque<>();

	private final List<JobStart> started = new ArrayList<>();

	private final JobRuns runs = new JobRuns(this, (delay, task) -> this.timer.add(task), new JobListener() {
	});

	private Instant now = NOON;

	private boolean answering = true;

	@Override
	public Instant now() {
		return this.now;
	}

	@Override
	public Optional<String> refusal(LockedJob job) {
		if (!this.answering) {
			throw new LockStoreException("no answer", null);
		}
		return Optional.empty();
	}

	@Test
	void aTickIsTriedAgainUntilTheClockCanBeChecked() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		this.answering = false;
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.runs.tick(job, this.started::add));
		fireTimer();
		assertThat(this.started).isEmpty();
		this.answering = true;
		this.now = NOON.plusSeconds(20);
		fireTimer();
		assertThat(this.started).singleElement().satisfies((start) -> {
			assertThat(start.run().tick()).isEqualTo(NOON);
			assertThat(start.at()).isEqualTo(this.now);
		});
		assertThat(this.timer).isEmpty();
	}

	@Test
	void aTickIsNotTriedAgainWhenTheNextOneIsDue() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		this.answering = false;
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.runs.tick(job, this.started::add));
		this.answering = true;
		this.now = NOON.plusSeconds(60);
		fireTimer();
		assertThat(this.started).isEmpty();
		assertThat(this.timer).isEmpty();
	}

	@Test
	void aRunThatFailsDuringTheShutdownIsLeftToAnotherNode() {
		JobStart start = this.runs.tick(job(OnCrash.RERUN), this.started::add).orElseThrow();
		JobStart last = new JobStart(new JobRun(start.run().job(), NOON, 3), NOON, false);
		JobStart notAgain = this.runs.tick(job(OnCrash.NEXT_TICK), this.started::add).orElseThrow();
		RuntimeException failure = new IllegalStateException("interrupted");
		assertThat(isFinished(this.runs.ended(start, failure))).as("before the shutdown").isTrue();
		this.runs.close();
		assertThat(isFinished(this.runs.ended(start, failure))).isFalse();
		assertThat(isFinished(this.runs.ended(start, null))).as("a success").isTrue();
		assertThat(isFinished(this.runs.ended(last, failure))).as("the last attempt").isTrue();
		assertThat(isFinished(this.runs.ended(notAgain, failure))).as("a job that is not rerun").isTrue();
	}

	private static boolean isFinished(ReleaseRequest release) {
		return release.change().attributes().containsKey(JobLedger.FINISHED_TICK);
	}

	@Test
	void jobsOfTwoClientsMayHaveOneName() {
		List<JobStart> others = new ArrayList<>();
		JobStart start = this.runs.tick(job(OnCrash.RERUN), this.started::add).orElseThrow();
		this.runs.tick(job(OnCrash.RERUN, Mockito.mock(LockClient.class)), others::add);
		this.runs.failed(start);
		fireTimer();
		assertThat(this.started).hasSize(1);
		assertThat(others).isEmpty();
	}

	private void fireTimer() {
		Objects.requireNonNull(this.timer.poll()).run();
	}

	private LockedJob job(OnCrash onCrash) {
		return job(onCrash, this.client);
	}

	private static LockedJob job(OnCrash onCrash, LockClient client) {
		return new LockedJob("minutely", LockKey.of("minutely"), "Report.run",
				JobSchedule.cron("0 * * * * *", ZoneOffset.UTC), onCrash, 3, OnMissed.SKIP, client);
	}

}

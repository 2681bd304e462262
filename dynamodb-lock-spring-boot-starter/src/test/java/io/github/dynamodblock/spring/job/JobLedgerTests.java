/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;

class JobLedgerTests {

	private static final LockClient CLIENT = Mockito.mock(LockClient.class);

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final Instant NEXT = NOON.plusSeconds(60);

	@Test
	void aTickIsStartedOnlyIfItIsLaterThanTheLastOne() {
		assertThat(JobLedger.first(NOON).holds(Map.of())).isTrue();
		assertThat(JobLedger.first(NOON).holds(running(NOON, 1))).isFalse();
		assertThat(JobLedger.first(NOON).holds(running(NEXT, 1))).isFalse();
		assertThat(JobLedger.first(NEXT).holds(running(NOON, 1))).isTrue();
	}

	@Test
	void theNextAttemptNeedsAnUnfinishedOneBefore() {
		assertThat(JobLedger.next(NOON, 1).holds(running(NOON, 1))).isTrue();
		assertThat(JobLedger.next(NOON, 1).holds(running(NOON, 2))).isFalse();
		assertThat(JobLedger.next(NOON, 1).holds(running(NEXT, 1))).isFalse();
		assertThat(JobLedger.next(NOON, 1).holds(finished(NOON, null))).isFalse();
		assertThat(JobLedger.next(NOON, 1).holds(Map.of())).isFalse();
	}

	@Test
	void aPausedJobStartsNothing() {
		Map<String, AttributeValue> paused = with(running(NOON, 1), JobLedger.pause("stock-taking"));
		assertThat(JobLedger.first(NEXT).holds(paused)).isFalse();
		assertThat(JobLedger.next(NOON, 1).holds(paused)).isFalse();
		assertThat(JobStart.due(job(OnCrash.RERUN, OnMissed.RUN_ONCE), JobLedger.of(paused), NEXT)).isEmpty();
		assertThat(JobLedger.first(NEXT).holds(with(paused, JobLedger.resume()))).isTrue();
	}

	@Test
	void anUnfinishedRunIsDueAgainUntilItsAttemptsAreUsedUp() {
		LockedJob job = job(OnCrash.RERUN, OnMissed.SKIP);
		assertThat(JobStart.due(job, JobLedger.of(running(NOON, 1)), NEXT).map(JobStart::run))
			.hasValue(new JobRun(job, NOON, 2));
		assertThat(JobStart.due(job, JobLedger.of(running(NOON, 3)), NEXT)).isEmpty();
		assertThat(JobStart.due(job, JobLedger.of(finished(NOON, null)), NEXT)).isEmpty();
		assertThat(JobStart.due(job(OnCrash.NEXT_TICK, OnMissed.SKIP), JobLedger.of(running(NOON, 1)), NEXT)).isEmpty();
	}

	@Test
	void oneRunIsDueForAllMissedTicks() {
		LockedJob job = job(OnCrash.RERUN, OnMissed.RUN_ONCE);
		JobLedger ledger = JobLedger.of(finished(NOON, null));
		assertThat(JobStart.due(job, ledger, NOON.plusSeconds(59))).isEmpty();
		Optional<JobStart> start = JobStart.due(job, ledger, NOON.plusSeconds(200));
		assertThat(start.map(JobStart::run)).hasValue(new JobRun(job, NOON.plusSeconds(180), 1));
		assertThat(start.map(JobStart::catchUp)).hasValue(true);
		assertThat(JobStart.due(job, JobLedger.of(Map.of()), NEXT)).as("a job that never ran").isEmpty();
	}

	@Test
	void theLongestLedgerIsShorterThanAKilobyte() {
		Throwable failure = new IllegalStateException("\u20ac".repeat(5_000) + "\ud83d\ude00".repeat(5_000));
		Map<String, AttributeValue> ledger = with(
				with(JobLedger.started(NOON, 1_000, NOON, "\u00fc".repeat(500)).attributes(),
						JobLedger.pause("\u20ac".repeat(500))),
				JobLedger.finished(new JobRun(job(OnCrash.RERUN, OnMissed.SKIP), NOON, 1), NOON, failure));
		ledger.putAll(JobLedger.startedManually(NOON, "n".repeat(500)).attributes());
		ledger.putAll(JobLedger.finished(JobStart.manual(job(OnCrash.RERUN, OnMissed.SKIP), NOON).run(), NOON, failure)
			.attributes());
		int size = ledger.entrySet()
			.stream()
			.mapToInt((entry) -> entry.getKey().length() + bytes(entry.getValue()))
			.sum();
		assertThat(size).isLessThan(1_024);
		assertThat(JobLedger.of(ledger).error().orElseThrow()).startsWith("java.lang.IllegalStateException: \u20ac");
	}

	/** As DynamoDB counts: a number takes a byte for two digits, and two more. */
	private static int bytes(AttributeValue value) {
		return (value.s() != null) ? value.s().getBytes(StandardCharsets.UTF_8).length
				: (value.n().length() + 1) / 2 + 2;
	}

	@Test
	void aManualRunLeavesTheTicksAlone() {
		LockedJob job = job(OnCrash.RERUN, OnMissed.RUN_ONCE);
		JobStart manual = JobStart.manual(job, NOON.plusSeconds(30));
		Map<String, AttributeValue> crashed = running(NOON, 1);
		Map<String, AttributeValue> during = with(crashed, JobLedger.startedManually(manual.run().tick(), "node-2"));
		Map<String, AttributeValue> after = with(during, JobLedger.finished(manual.run(), NEXT, null));
		assertThat(JobLedger.of(during).isManual()).isTrue();
		assertThat(JobLedger.of(during).isFinished()).isFalse();
		assertThat(JobLedger.of(after).isFinished()).isTrue();
		assertThat(JobLedger.of(after).isFinishedManual()).isTrue();
		assertThat(JobLedger.of(after).lastSuccessAt()).hasValue(NEXT);
		for (Map<String, AttributeValue> ledger : List.of(during, after)) {
			assertThat(JobLedger.of(ledger).tick()).hasValue(NOON);
			assertThat(JobLedger.of(ledger).isTickFinished()).isFalse();
			assertThat(JobLedger.next(NOON, 1).holds(ledger)).as("the next attempt").isTrue();
			assertThat(JobLedger.first(NEXT).holds(ledger)).as("the next tick").isTrue();
			assertThat(JobStart.due(job, JobLedger.of(ledger), NEXT).map(JobStart::run))
				.hasValue(new JobRun(job, NOON, 2));
		}
	}

	@Test
	void theTickAfterAManualRunIsTheLatestRun() {
		LockedJob job = job(OnCrash.RERUN, OnMissed.SKIP);
		JobRun manual = JobStart.manual(job, NOON.plusSeconds(30)).run();
		Map<String, AttributeValue> ledger = with(
				with(finished(NOON, null), JobLedger.startedManually(manual.tick(), "node")),
				JobLedger.finished(manual, NEXT, null));
		Map<String, AttributeValue> during = with(ledger, JobLedger.started(NEXT, 1, NEXT, "node"));
		assertThat(JobLedger.of(during).isManual()).isFalse();
		assertThat(JobLedger.of(during).isFinished()).isFalse();
		assertThat(JobLedger.of(during).isManualFinished()).as("as the node of the tick sees").isTrue();
		assertThat(JobLedger.of(during).isFinishedManual()).as("the run that finished last").isTrue();
		Map<String, AttributeValue> after = with(during, JobLedger.finished(new JobRun(job, NEXT, 1), NEXT, null));
		assertThat(JobLedger.of(after).isFinished()).isTrue();
		assertThat(JobLedger.of(after).isFinishedManual()).isFalse();
		assertThat(JobLedger.of(after).manual()).isEmpty();
	}

	@Test
	void theTickAfterAManualRunThatCrashedKeepsItsTraceUntilItFinishes() {
		Instant manual = NOON.plusSeconds(30);
		Map<String, AttributeValue> during = with(with(finished(NOON, null), JobLedger.startedManually(manual, "node")),
				JobLedger.started(NEXT, 1, NEXT, "node"));
		assertThat(JobLedger.of(during).isManual()).as("the latest run").isFalse();
		assertThat(JobLedger.of(during).manual()).hasValue(manual);
		assertThat(JobLedger.of(during).isManualFinished()).isFalse();
		Map<String, AttributeValue> after = with(during,
				JobLedger.finished(new JobRun(job(OnCrash.RERUN, OnMissed.SKIP), NEXT, 1), NEXT, null));
		assertThat(JobLedger.of(after).isFinished()).isTrue();
		assertThat(JobLedger.of(after).manual()).isEmpty();
	}

	@Test
	void aManualRunNeedsAJobThatIsNotPaused() {
		ItemCondition condition = JobStart.manual(job(OnCrash.RERUN, OnMissed.SKIP), NOON).condition();
		assertThat(condition.holds(Map.of())).isTrue();
		assertThat(condition.holds(running(NEXT, 1))).isTrue();
		assertThat(condition.holds(with(running(NEXT, 1), JobLedger.pause("stock-taking")))).isFalse();
	}

	@Test
	void fireTimesOfANewScheduleWereNotMissed() {
		LockedJob job = job(OnCrash.RERUN, OnMissed.RUN_ONCE);
		LockedJob changed = new LockedJob("job", LockKey.of("job"), "Job.run()",
				JobSchedule.cron("30 * * * * *", ZoneOffset.UTC), OnCrash.RERUN, 3, OnMissed.RUN_ONCE, CLIENT);
		JobLedger ledger = JobLedger.of(finished(NOON, null));
		assertThat(JobStart.due(job, ledger, NEXT)).map((start) -> start.run().tick()).hasValue(NEXT);
		assertThat(JobStart.due(changed, ledger, NEXT)).isEmpty();
	}

	@Test
	void aLedgerThatWasEditedByHandIsReadAndReported() {
		Map<String, AttributeValue> edited = new HashMap<>(finished(NOON, null));
		edited.put("jobTick", AttributeValue.fromS("yesterday"));
		edited.put("jobAttempt", AttributeValue.fromBool(true));
		edited.put("jobOutcome", AttributeValue.fromS("POSTPONED"));
		edited.put("jobColour", AttributeValue.fromS("an attribute of a newer version"));
		JobLedger ledger = JobLedger.of(edited);
		assertThat(ledger.tick()).isEmpty();
		assertThat(ledger.outcome()).isEmpty();
		assertThat(ledger.problems()).containsExactly(
				"jobTick is 'yesterday' instead of a number of milliseconds since 1970",
				"jobAttempt is of type BOOL instead of a whole number",
				"jobOutcome is 'POSTPONED', which this version does not know");
		assertThat(JobStart.due(job(OnCrash.RERUN, OnMissed.RUN_ONCE), ledger, NEXT)).isEmpty();
	}

	private static Map<String, AttributeValue> running(Instant tick, int attempt) {
		return JobLedger.started(tick, attempt, tick, "node").attributes();
	}

	private static Map<String, AttributeValue> finished(Instant tick, @Nullable Throwable failure) {
		return with(running(tick, 1),
				JobLedger.finished(new JobRun(job(OnCrash.RERUN, OnMissed.SKIP), tick, 1), tick, failure));
	}

	private static Map<String, AttributeValue> with(Map<String, AttributeValue> before, ItemChange change) {
		Map<String, AttributeValue> after = new HashMap<>(before);
		after.putAll(change.attributes());
		after.keySet().removeAll(change.removedAttributes());
		return after;
	}

	private static LockedJob job(OnCrash onCrash, OnMissed onMissed) {
		return new LockedJob("job", LockKey.of("job"), "Job.run()", JobSchedule.cron("0 * * * * *", ZoneOffset.UTC),
				onCrash, 3, onMissed, CLIENT);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a node does next, by the record that it has read.
 */
class JobRunTests {

	private static final LockClient CLIENT = Mockito.mock(LockClient.class);

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final JobSchedule MINUTELY = JobSchedule.cron("0 * * * * *", ZoneOffset.UTC);

	private static final JobSchedule RATE = JobSchedule.fixedRate(Duration.ofMinutes(1));

	private static final JobSchedule DELAY = JobSchedule.fixedDelay(Duration.ofMinutes(1));

	private static final LockedJob CRON_JOB = job(MINUTELY, 3, OnMissed.SKIP, null);

	@Test
	void theTickOfTheLastCallStartsUnlessANodeHasStartedIt() {
		assertThat(next(CRON_JOB, null, NOON, 0)).hasValue("12:00 #1");
		assertThat(next(CRON_JOB, finished(CRON_JOB, -60), NOON, 0)).hasValue("12:00 #1");
		assertThat(next(CRON_JOB, finished(CRON_JOB, 0), NOON, 0)).isEmpty();
		assertThat(next(CRON_JOB, finished(CRON_JOB, 60), NOON, 0)).as("by a clock that is ahead").isEmpty();
		assertThat(next(CRON_JOB, finished(CRON_JOB, -60), null, 0)).as("without a call").isEmpty();
	}

	@Test
	void anUnfinishedTickIsRunAgainUntilItsAttemptsAreUsedUp() {
		assertThat(next(CRON_JOB, started(CRON_JOB, 0, 1), NOON, 1)).hasValue("12:00 #2");
		assertThat(next(CRON_JOB, started(CRON_JOB, 0, 2), null, 1)).as("without a call").hasValue("12:00 #3");
		assertThat(next(CRON_JOB, started(CRON_JOB, 0, 3), NOON, 1)).hasValue("12:00 #3 CRASHED");
		LockedJob once = job(MINUTELY, 1, OnMissed.SKIP, null);
		assertThat(next(once, started(once, 0, 1), NOON, 1)).hasValue("12:00 #1 CRASHED");
	}

	@Test
	void theRunOfAnotherMethodIsNeitherRunAgainNorRecordedAsEnded() {
		for (int attempts : new int[] { 3, 1 }) {
			LockedJob other = job("Invoices.make()", MINUTELY, attempts, OnMissed.SKIP, Duration.ofSeconds(5));
			assertThat(next(other, started(CRON_JOB, 0, 1), NOON, 10)).isEmpty();
			assertThat(next(other, started(CRON_JOB, 0, 1), null, 10)).as("without a call").isEmpty();
			LockRecord returned = released(started(CRON_JOB, 0, 1),
					JobWrites.interrupted(new JobRun(CRON_JOB, NOON, 1)));
			assertThat(next(other, returned, NOON, 1)).as("interrupted").isEmpty();
			assertThat(next(other, started(CRON_JOB, -60, 1), NOON, 1)).as("the next tick").hasValue("12:00 #1");
		}
	}

	@Test
	void aRunOfAnotherMethodStopsNoJobAtARate() {
		JobSchedule rate = JobSchedule.fixedRate(Duration.ofMinutes(1));
		LockedJob job = job(rate, 3, OnMissed.SKIP, null);
		LockedJob renamed = job("Reports.makeAll()", rate, 3, OnMissed.SKIP, null);
		assertThat(next(job, started(job, 0, 1), NOON, 90)).as("its own run").hasValue("12:00 #2");
		assertThat(next(renamed, started(job, 0, 1), NOON, 90)).hasValue("12:01 #1");
		assertThat(next(renamed, started(job, 0, 1), NOON, 30)).as("too early").isEmpty();
	}

	@Test
	void aRecordThatNamesNoMethodIsThatOfTheJob() {
		LockRecord unnamed = held(started(CRON_JOB, 0, 1), ItemChange.none().removeAttributes("jobMethod"));
		assertThat(next(CRON_JOB, unnamed, NOON, 1)).hasValue("12:00 #2");
	}

	@Test
	void theLatestTickReplacesAnUnfinishedOne() {
		assertThat(next(CRON_JOB, started(CRON_JOB, -60, 1), NOON, 1)).hasValue("12:00 #1");
		assertThat(next(CRON_JOB, started(CRON_JOB, -60, 1), NOON.minusSeconds(60), 1)).as("due since the last call")
			.hasValue("12:00 #1");
	}

	@Test
	void aTickIsNotRunAgainOnceTheNextOneWasDue() {
		assertThat(next(CRON_JOB, started(CRON_JOB, 0, 1), null, 59)).hasValue("12:00 #2");
		assertThat(next(CRON_JOB, started(CRON_JOB, 0, 1), null, 60)).hasValue("12:00 #1 CRASHED");
		LockRecord returned = released(started(CRON_JOB, 0, 1), JobWrites.interrupted(new JobRun(CRON_JOB, NOON, 1)));
		assertThat(next(CRON_JOB, returned, null, 59)).hasValue("12:00 #1");
		assertThat(next(CRON_JOB, returned, null, 60)).as("interrupted").isEmpty();
		LockedJob job = job(MINUTELY, 3, OnMissed.RUN_ONCE, null);
		assertThat(next(job, started(job, 0, 1), null, 60)).as("made up for").hasValue("12:01 #1");
	}

	@Test
	void anAttemptThatWasGivenBackIsNoRerun() {
		LockRecord interrupted = released(started(CRON_JOB, 0, 2),
				JobWrites.interrupted(new JobRun(CRON_JOB, NOON, 2)));
		assertThat(next(CRON_JOB, interrupted, NOON, 1)).hasValue("12:00 #2");
		assertThat(start(CRON_JOB, interrupted, NOON, 1)).map(JobRun::isRerun).hasValue(false);
		LockRecord unused = released(started(CRON_JOB, 0, 1), JobWrites.unused(new JobRun(CRON_JOB, NOON, 1)));
		assertThat(next(CRON_JOB, unused, NOON, 1)).hasValue("12:00 #1");
		assertThat(start(CRON_JOB, unused, NOON, 1)).map(JobRun::isRerun).hasValue(false);
	}

	@Test
	void anUnusedRerunLeavesTheRecordOfTheCrash() {
		LockRecord crashed = started(CRON_JOB, 0, 1);
		JobRun rerun = start(CRON_JOB, crashed, NOON, 1).orElseThrow();
		LockRecord unused = released(started(CRON_JOB, 0, 2), JobWrites.unused(rerun));
		assertThat(next(CRON_JOB, unused, NOON, 1)).hasValue("12:00 #2");
		assertThat(start(CRON_JOB, unused, NOON, 1)).map(JobRun::isRerun).hasValue(true);
		assertThat(JobRecord.of(unused)).extracting(JobRecord::startedAt, JobRecord::node, JobRecord::method)
			.containsExactly(JobRecord.of(crashed).startedAt(), JobRecord.of(crashed).node(),
					JobRecord.of(crashed).method());
	}

	@Test
	void aPausedOrUnreadableRecordStartsNothing() {
		for (ItemChange change : new ItemChange[] { JobRecord.pause("stock-taking"),
				ItemChange.none().attribute("jobTick", AttributeValue.fromS("yesterday")),
				ItemChange.none().attribute("jobAttempt", AttributeValue.fromBool(true)),
				ItemChange.none().attribute("jobFinishedTick", AttributeValue.fromS("never")) }) {
			assertThat(next(CRON_JOB, held(started(CRON_JOB, -60, 1), change), NOON, 1)).as(change.toString())
				.isEmpty();
		}
	}

	@Test
	void aRunThatWasRenewedUntilItsLimitHasTimedOut() {
		LockedJob limited = job(MINUTELY, 3, OnMissed.SKIP, Duration.ofSeconds(30));
		LockRecord crashed = started(limited, 0, 1).toBuilder().renewedAt(NOON.plusSeconds(19)).build();
		LockRecord renewed = started(limited, 0, 1).toBuilder().renewedAt(NOON.plusSeconds(20)).build();
		assertThat(next(limited, crashed, NOON, 40)).hasValue("12:00 #2");
		assertThat(next(limited, renewed, NOON, 40)).hasValue("12:00 #1 TIMED_OUT");
		assertThat(next(CRON_JOB, renewed, NOON, 40)).as("without a limit").hasValue("12:00 #2");
	}

	@Test
	void aRunBehindAnotherCallHasTimedOutIfItMayHaveReachedItsLimit() {
		LockedJob limited = job(JobSchedule.cron("0 0 * * * *", ZoneOffset.UTC), 3, OnMissed.SKIP,
				Duration.ofMinutes(10));
		LockRecord plain = started(limited, 0, 1).toBuilder().renewedAt(NOON.plusSeconds(700)).data(null).build();
		assertThat(next(limited, plain, null, 500)).hasValue("12:00 #2");
		assertThat(next(limited, plain, null, 550)).as("by the clock of another node").hasValue("12:00 #1 TIMED_OUT");
		LockRecord returned = held(plain, JobWrites.unused(new JobRun(limited, NOON, 1)));
		assertThat(next(limited, returned, null, 900)).as("it never began").hasValue("12:00 #1");
	}

	@Test
	void oneRunIsDueForAllMissedTicks() {
		LockedJob job = job(MINUTELY, 3, OnMissed.RUN_ONCE, null);
		assertThat(next(job, finished(job, 0), null, 59)).isEmpty();
		assertThat(next(job, finished(job, 0), null, 200)).hasValue("12:03 #1");
		assertThat(next(job, null, null, 200)).as("a job that never ran").isEmpty();
		LockedJob changed = job(JobSchedule.cron("30 * * * * *", ZoneOffset.UTC), 3, OnMissed.RUN_ONCE, null);
		assertThat(next(changed, finished(job, 0), null, 200)).as("another schedule").isEmpty();
	}

	@Test
	void aRateCountsFromTheLastStartOfTheCluster() {
		LockedJob job = job(RATE, 3, OnMissed.SKIP, null);
		assertThat(next(job, null, NOON, 0)).hasValue("12:00 #1");
		assertThat(next(job, finished(job, 0), NOON, 53)).isEmpty();
		assertThat(next(job, finished(job, 0), NOON, 60)).as("after nine tenths of the period").hasValue("12:01 #1");
		assertThat(next(job, finished(job, 0), null, 60)).as("without a call").isEmpty();
	}

	@Test
	void aDelayCountsFromTheLastEndOfTheCluster() {
		LockedJob job = job(DELAY, 3, OnMissed.SKIP, null);
		LockRecord ended = released(started(job, -300, 1),
				JobWrites.ended(new JobRun(job, NOON.minusSeconds(300), 1), NOON, JobOutcome.FAILED, null));
		assertThat(next(job, ended, NOON, 59)).isEmpty();
		assertThat(next(job, ended, NOON, 60)).hasValue("12:01 #1");
	}

	@Test
	void anUnfinishedRunAtARateIsContinuedFirst() {
		for (JobSchedule schedule : new JobSchedule[] { RATE, DELAY }) {
			LockedJob job = job(schedule, 3, OnMissed.SKIP, null);
			assertThat(next(job, started(job, 0, 1), NOON, 300)).hasValue("12:00 #2");
			assertThat(next(job, started(job, 0, 1), null, 300)).hasValue("12:00 #2");
		}
	}

	@Test
	void aTimeThatOnlyAWrongClockCanHaveWrittenRefusesNothing() {
		LockedJob rate = job(RATE, 3, OnMissed.SKIP, null);
		LockedJob delay = job(DELAY, 3, OnMissed.SKIP, null);
		for (LockedJob job : new LockedJob[] { CRON_JOB, rate, delay }) {
			assertThat(next(job, finished(job, 86_400), NOON, 0)).as(job.toString()).hasValue("12:00 #1");
			assertThat(next(job, finished(job, 60), NOON, 0)).as("as clocks may differ, " + job).isEmpty();
		}
	}

	@Test
	void aNodeThatHasNotReadAWrongTimeIsRefused() {
		JobRun read = start(CRON_JOB, finished(CRON_JOB, 86_400), NOON, 0).orElseThrow();
		JobRun unread = start(CRON_JOB, null, NOON, 0).orElseThrow();
		Map<String, AttributeValue> wrong = finished(CRON_JOB, 86_400).attributes();
		assertThat(allows(read, wrong)).isTrue();
		assertThat(allows(unread, wrong)).isFalse();
		assertThat(allows(read, finished(CRON_JOB, 0).attributes())).as("healed by another node").isFalse();
	}

	@Test
	void aCallByAClockThatWasADayAheadStartsNothingLater() {
		assertThat(next(CRON_JOB, finished(CRON_JOB, -60), NOON.plusSeconds(86_400), 1)).isEmpty();
		assertThat(next(CRON_JOB, finished(CRON_JOB, 0), NOON.plusSeconds(60), 58)).as("a call that was early")
			.hasValue("12:01 #1");
	}

	@Test
	void theClaimRepeatsTheDecision() {
		Map<String, AttributeValue> running = started(CRON_JOB, 0, 1).attributes();
		JobRun again = start(CRON_JOB, started(CRON_JOB, 0, 1), NOON, 1).orElseThrow();
		assertThat(allows(again, running)).isTrue();
		assertThat(allows(again, started(CRON_JOB, 0, 2).attributes())).isFalse();
		assertThat(allows(again, started(CRON_JOB, 60, 1).attributes())).isFalse();
		assertThat(allows(again, finished(CRON_JOB, 0).attributes())).as("finished").isFalse();
		assertThat(allows(again, held(started(CRON_JOB, 0, 1), JobRecord.pause("-")).attributes())).as("paused")
			.isFalse();
		JobRun first = start(CRON_JOB, null, NOON, 0).orElseThrow();
		assertThat(allows(first, Map.of())).isTrue();
		assertThat(allows(first, running)).isFalse();
		assertThat(allows(first, started(CRON_JOB, -60, 1).attributes())).isTrue();
	}

	@Test
	void aRunNeitherWaitsNorHoldsItsLockForLonger() {
		LockRequest plain = LockRequest.of("report")
			.waitTime(Duration.ofMinutes(1))
			.awaitSilentOwner(true)
			.holdAtLeast(Duration.ofMinutes(10));
		Mockito.when(CLIENT.ownerName()).thenReturn("node-1");
		LockRequest claim = JobWrites.claim(start(CRON_JOB, null, NOON, 0).orElseThrow(), plain, "shop");
		assertThat(claim.waitTime()).hasValue(Duration.ZERO);
		assertThat(claim.awaitSilentOwner()).isFalse();
		assertThat(claim.holdAtLeast()).isEqualTo(Duration.ZERO);
		assertThat(claim.keptItem()).isPresent();
		assertThat(claim.releaseOnClose()).isFalse();
	}

	/**
	 * Whether the condition of a run's claim holds, as a table in memory evaluates it.
	 */
	private static boolean allows(JobRun run, Map<String, AttributeValue> attributes) {
		ItemCondition condition = run.condition();
		Map<String, AttributeValue> key = Map.of("key", AttributeValue.fromS("report"));
		Map<String, AttributeValue> item = new HashMap<>(attributes);
		item.putAll(key);
		try (InMemoryDynamoDb dynamoDb = InMemoryDynamoDb.withLockTable("locks")) {
			dynamoDb.putItem((request) -> request.tableName("locks").item(item));
			dynamoDb.deleteItem((request) -> request.tableName("locks")
				.key(key)
				.conditionExpression(condition.expression())
				.expressionAttributeNames(condition.names())
				.expressionAttributeValues(condition.values()));
			return true;
		}
		catch (ConditionalCheckFailedException ex) {
			return false;
		}
	}

	/** What the node does, so many seconds after noon. */
	private static Optional<String> next(LockedJob job, @Nullable LockRecord seen, @Nullable Instant wanted,
			long seconds) {
		return start(job, seen, wanted, seconds).map((run) -> run.tick().toString().substring(11, 16) + " #"
				+ run.attempt() + ((run.end() != null) ? " " + run.end() : ""));
	}

	private static Optional<JobRun> start(LockedJob job, @Nullable LockRecord seen, @Nullable Instant wanted,
			long seconds) {
		return JobRun.next(job, (seen != null) ? JobRecord.of(seen) : JobRecord.NONE, wanted,
				new JobClock.Reading(NOON.plusSeconds(seconds), Duration.ofSeconds(30), 0));
	}

	private static LockRecord started(LockedJob job, long secondsAfterNoon, int attempt) {
		Instant tick = NOON.plusSeconds(secondsAfterNoon);
		return LockRecord.builder(job.key(), "node-1", Duration.ofSeconds(10), "1")
			.renewedAt(tick)
			.change(JobWrites.started(new JobRun(job, tick, attempt), attempt == 1, tick, "node-1", "shop"))
			.build();
	}

	private static LockRecord finished(LockedJob job, long secondsAfterNoon) {
		Instant tick = NOON.plusSeconds(secondsAfterNoon);
		return released(started(job, secondsAfterNoon, 1),
				JobWrites.ended(new JobRun(job, tick, 1), tick, JobOutcome.SUCCEEDED, null));
	}

	private static LockRecord released(LockRecord before, ItemChange change) {
		return before.toBuilder().released(true).change(change).build();
	}

	private static LockRecord held(LockRecord before, ItemChange change) {
		return before.toBuilder().change(change).build();
	}

	private static LockedJob job(JobSchedule schedule, int attempts, OnMissed onMissed, @Nullable Duration holdAtMost) {
		return job("Reports.make()", schedule, attempts, onMissed, holdAtMost);
	}

	private static LockedJob job(String location, JobSchedule schedule, int attempts, OnMissed onMissed,
			@Nullable Duration holdAtMost) {
		return new LockedJob("report", LockKey.of("report"), false, location, schedule, attempts, onMissed, holdAtMost,
				CLIENT);
	}

}

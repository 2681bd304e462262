/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The test is the clock and the timer. */
class JobRunsTests implements JobClock {

	private static final LockKey KEY = LockKey.of("minutely");

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	/** The start of a manual run before noon. */
	private static final ItemChange MANUAL = JobLedger.startedManually(NOON.minusSeconds(1), "node-2");

	private final LockClient client = Mockito.mock(LockClient.class);

	private final Queue<Runnable> timer = new ArrayDeque<>();

	private final List<JobStart> started = new ArrayList<>();

	private final List<Duration> delays = new ArrayList<>();

	private final List<JobRun> crashed = new ArrayList<>();

	private final List<Instant> missed = new ArrayList<>();

	private final JobRuns runs = new JobRuns(this, (delay, task) -> {
		this.delays.add(delay);
		this.timer.add(task);
	}, new JobListener() {

		@Override
		public void onCrashed(JobRun run, boolean rerun) {
			JobRunsTests.this.crashed.add(run);
		}

		@Override
		public void onMissed(LockedJob job, List<Instant> ticks, boolean runOnce) {
			JobRunsTests.this.missed.addAll(ticks);
		}

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
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.runs.tick(job, this::start));
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
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.runs.tick(job, this::start));
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

	@Test
	void theClockIsNotCheckedByTheTimer() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		this.runs.failed(this.runs.tick(job, this.started::add).orElseThrow());
		this.answering = false;
		fireTimer();
		assertThat(this.started).as("starts that the scheduler receives").hasSize(1);
		assertThat(this.runs.begin(this.started.get(0))).isEmpty();
		assertThat(this.timer).as("the repetition").hasSize(1);
	}

	@Test
	void aManualRunThatFailsDuringTheShutdownIsNotLeftToAnotherNode() {
		JobStart start = JobStart.manual(job(OnCrash.RERUN), NOON);
		this.runs.close();
		assertThat(this.runs.ended(start, new IllegalStateException("interrupted")).change().attributes())
			.containsKeys(JobLedger.FINISHED_MANUAL, JobLedger.ERROR)
			.doesNotContainKeys(JobLedger.FINISHED_TICK, JobLedger.SCHEDULE);
	}

	@Test
	void aTickThatAManualRunIsInTheWayOfIsTriedAgain() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		JobStart tick = this.runs.tick(job, this.started::add).orElseThrow();
		this.runs.refused(tick, held(record(MANUAL)));
		this.now = NOON.plusSeconds(20);
		fireTimer();
		assertThat(this.started).extracting(JobStart::run).containsExactly(tick.run());
		this.runs.refused(tick, held(record(MANUAL)));
		this.now = NOON.plusSeconds(60);
		fireTimer();
		assertThat(this.started).as("when the next tick is due").hasSize(1);
	}

	@Test
	void aManualRunThatIsRefusedEndsNoWatch() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		this.runs.failed(this.runs.tick(job, this.started::add).orElseThrow());
		LockRecord held = LockRecord.builder(job.key(), "node-2", Duration.ofSeconds(20), "1").build();
		JobStart manual = JobStart.manual(job, NOON);
		this.runs.refused(manual, new LockNotGrantedException(job.key(), "held", held, null));
		this.runs.failed(manual);
		this.runs.started(manual, held);
		fireTimer();
		assertThat(this.started).extracting((start) -> start.run().tick()).containsExactly(NOON);
		assertThat(this.timer).isEmpty();
	}

	@Test
	void theCrashOfAManualRunIsReportedByANodeThatHasNotSeenIt() {
		JobStart tick = this.runs.tick(job(OnCrash.NEXT_TICK), this.started::add).orElseThrow();
		this.runs.started(tick, record(MANUAL, startOf(tick.run())));
		assertThat(this.crashed).containsExactly(manual(tick.run().job()));
	}

	@Test
	void theCrashOfAManualRunIsReportedByTheFirstTickAfterIt() {
		LockedJob job = job(OnCrash.RERUN);
		JobRun second = new JobRun(job, NOON, 2);
		LockRecord after = record(MANUAL, startOf(new JobRun(job, NOON, 1)));
		this.runs.open(job, Optional.of(JobLedger.of(after)), this.started::add);
		this.runs.started(new JobStart(second, NOON, false), record(after, startOf(second)));
		assertThat(this.crashed).as("known to the node of the first attempt").containsExactly(new JobRun(job, NOON, 1));
	}

	@Test
	void aManualRunThatFinishedAfterItWasSeenHasNotCrashed() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		JobStart tick = this.runs.tick(job, this.started::add).orElseThrow();
		this.runs.refused(tick, held(record(MANUAL)));
		JobRun other = new JobRun(job, NOON, 1);
		LockRecord finished = record(MANUAL, JobLedger.finished(manual(job), NOON, null), startOf(other),
				JobLedger.finished(other, NOON.plusSeconds(1), null));
		JobStart manual = JobStart.manual(job, NOON.plusSeconds(2));
		this.runs.started(manual, record(finished, JobLedger.startedManually(manual.run().tick(), "node-1")));
		assertThat(this.crashed).isEmpty();
	}

	@Test
	void theCrashOfAManualRunIsReportedByTheNextOne() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		LockRecord crashed = record(MANUAL).toBuilder().released(true).build();
		Mockito.when(this.client.find(job.key())).thenReturn(Optional.of(crashed));
		this.runs.runNow(job, this.started::add);
		JobStart next = this.started.get(0);
		this.runs.started(next, record(crashed, JobLedger.startedManually(next.run().tick(), "node-1")));
		assertThat(this.crashed).containsExactly(manual(job));
	}

	@Test
	void ticksDuringTheFirstRunOfAllAreMissedIfThatIsManual() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		JobStart tick = delayedBy(job, 3);
		this.runs.started(tick, record(MANUAL, JobLedger.finished(manual(job), this.now, null), startOf(tick.run())));
		assertThat(this.missed).containsExactly(NOON, NOON.plusSeconds(60));
	}

	@Test
	void delayedTicksThatAnotherNodeHasReportedAreNotReportedAgain() {
		LockedJob job = job(OnCrash.NEXT_TICK);
		delayedBy(job, 3);
		LockRecord other = record(MANUAL, startOf(new JobRun(job, this.now, 1)));
		this.now = this.now.plusSeconds(60);
		JobStart next = this.runs.tick(job, this.started::add).orElseThrow();
		this.runs.refused(next, held(other));
		this.runs.started(next, record(other, startOf(next.run())));
		assertThat(this.missed).isEmpty();
	}

	/** Refuses ticks, the last of which is returned, because a manual run goes on. */
	private JobStart delayedBy(LockedJob job, int ticks) {
		for (int i = 1;; i++) {
			JobStart tick = this.runs.tick(job, this.started::add).orElseThrow();
			this.runs.refused(tick, held(record(MANUAL)));
			if (i == ticks) {
				return tick;
			}
			this.now = this.now.plusSeconds(60);
		}
	}

	private static JobRun manual(LockedJob job) {
		return JobStart.manual(job, NOON.minusSeconds(1)).run();
	}

	private static ItemChange startOf(JobRun tick) {
		return JobLedger.started(tick.tick(), tick.attempt(), tick.tick(), "node-1");
	}

	private static LockNotGrantedException held(LockRecord lock) {
		return new LockNotGrantedException(lock.key(), "held", lock, null);
	}

	/** The lock after some changes. */
	private static LockRecord record(ItemChange... changes) {
		return record(LockRecord.builder(LockKey.of("minutely"), "node-2", Duration.ofSeconds(20), "1").build(),
				changes);
	}

	private static LockRecord record(LockRecord before, ItemChange... changes) {
		LockRecord.Builder record = before.toBuilder();
		for (ItemChange change : changes) {
			record.change(change);
		}
		return record.build();
	}

	@Test
	void aRunStartsWhenTheSchedulerHasAThreadForIt() {
		LockedJob job = job(OnCrash.RERUN);
		JobStart rerun = new JobStart(new JobRun(job, NOON, 2), NOON, false);
		this.runs.runNow(job, this.started::add);
		this.now = NOON.plusSeconds(1200);
		assertThat(this.runs.begin(rerun)).hasValue(new JobStart(rerun.run(), this.now, false));
		assertThat(this.runs.begin(this.started.get(0))).hasValue(JobStart.manual(job, this.now));
	}

	@Test
	void aManualRunIsNotRequestedAgainUntilItHasStarted() {
		LockedJob job = job(OnCrash.RERUN);
		this.runs.runNow(job, this.started::add);
		assertThatIllegalStateException().isThrownBy(() -> this.runs.runNow(job, this.started::add))
			.withMessageContaining("waits on this node");
		this.runs.started(this.started.get(0), LockRecord.builder(job.key(), "1", Duration.ofSeconds(20), "1").build());
		this.now = NOON.plusSeconds(1);
		this.runs.runNow(job, this.started::add);
		this.runs.done(this.started.get(0));
		assertThatIllegalStateException().as("after the end of an earlier one")
			.isThrownBy(() -> this.runs.runNow(job, this.started::add));
		this.runs.done(this.started.get(1));
		this.runs.runNow(job, this.started::add);
		assertThat(this.started).hasSize(3);
	}

	@Test
	void whatWaitedForAThreadDoesNotStartOnANodeThatIsClosed() {
		this.runs.runNow(job(OnCrash.RERUN), this.started::add);
		this.runs.close();
		assertThat(this.runs.begin(this.started.get(0))).isEmpty();
	}

	@Test
	void aManualRunThatTheSchedulerDroppedIsRequestedAgainAfterARestart() {
		LockedJob job = job(OnCrash.RERUN);
		this.runs.runNow(job, this.started::add);
		this.runs.close();
		this.runs.reopen();
		this.runs.runNow(job, this.started::add);
		assertThat(this.started).hasSize(2);
	}

	/** As the scheduler does. */
	private void start(JobStart start) {
		this.runs.begin(start).ifPresent(this.started::add);
	}

	private static boolean isFinished(ReleaseRequest release) {
		return release.change().attributes().containsKey(JobLedger.FINISHED_TICK);
	}

	@Test
	void aRunIsReadShortlyBeforeItsLeaseWouldExpireAndWhenItHas() {
		JobStart start = this.runs.tick(job(OnCrash.RERUN), this.started::add).orElseThrow();
		this.runs.refused(start, held(running(), Duration.ofSeconds(10)));
		this.runs.refused(start, held(running(), Duration.ofSeconds(1)));
		assertThat(this.delays).containsExactly(Duration.ofSeconds(9), Duration.ofSeconds(1));
		fireTimer();
		assertThat(this.started).as("the plan before the last one").isEmpty();
		fireTimer();
		assertThat(this.started).extracting((next) -> next.run().attempt()).containsExactly(2);
	}

	@Test
	void theWatchOfARunEndsWhenItHasFinished() {
		JobStart start = this.runs.tick(job(OnCrash.RERUN), this.started::add).orElseThrow();
		this.runs.refused(start, new ConditionNotMetException(KEY, start.condition(), finished()));
		this.runs.refused(start, held(finished(), Duration.ofSeconds(10)));
		assertThat(this.timer).isEmpty();
	}

	@Test
	void theWatchOfARunEndsWhenTheNextTickComes() {
		LockedJob job = job(OnCrash.RERUN);
		JobStart start = this.runs.tick(job, this.started::add).orElseThrow();
		this.runs.refused(start, held(running(), Duration.ofSeconds(10)));
		this.now = NOON.plusSeconds(60);
		assertThat(this.runs.tick(job, this.started::add)).isPresent();
		fireTimer();
		assertThat(this.started).isEmpty();
	}

	@Test
	void theWatchOfARunEndsWhenTheContextCloses() {
		JobStart start = this.runs.tick(job(OnCrash.RERUN), this.started::add).orElseThrow();
		this.runs.refused(start, held(running(), Duration.ofSeconds(10)));
		this.runs.close();
		fireTimer();
		this.runs.refused(start, held(running(), Duration.ofSeconds(10)));
		assertThat(this.started).isEmpty();
		assertThat(this.timer).isEmpty();
	}

	@Test
	void ticksBetweenTheLastEndAndAStartAreReported() {
		LockedJob job = job(OnCrash.RERUN);
		this.runs.tick(job, this.started::add);
		this.now = NOON.plusSeconds(180);
		JobStart start = this.runs.tick(job, this.started::add).orElseThrow();
		this.runs.started(start,
				finished().toBuilder().change(JobLedger.started(start.run().tick(), 1, this.now, "node")).build());
		assertThat(this.missed).containsExactly(NOON.plusSeconds(60), NOON.plusSeconds(120));
	}

	private static LockNotGrantedException held(LockRecord lock, Duration rest) {
		return new LockNotGrantedException(KEY, "held", lock, rest);
	}

	private LockRecord running() {
		return LockRecord.builder(KEY, "another", Duration.ofSeconds(10), "1")
			.change(JobLedger.started(NOON, 1, NOON, "another"))
			.build();
	}

	private LockRecord finished() {
		return running().toBuilder()
			.change(JobLedger.finished(new JobRun(job(OnCrash.RERUN), NOON, 1), NOON, null))
			.released(true)
			.build();
	}

	@Test
	void locksOfTwoClientsMayHaveOneKey() {
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
		return new LockedJob("minutely", KEY, "Report.run", JobSchedule.cron("0 * * * * *", ZoneOffset.UTC), onCrash, 3,
				OnMissed.SKIP, client);
	}

}

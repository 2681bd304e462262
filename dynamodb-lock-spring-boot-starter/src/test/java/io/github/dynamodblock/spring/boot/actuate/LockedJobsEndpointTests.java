/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.ServiceTime;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Action;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Done;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.FinishedRun;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Job;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Jobs;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.Run;
import io.github.dynamodblock.spring.boot.actuate.LockedJobDescriptors.State;
import io.github.dynamodblock.spring.job.JobClock;
import io.github.dynamodblock.spring.job.JobExecutor;
import io.github.dynamodblock.spring.job.JobOutcome;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;

class LockedJobsEndpointTests {

	private static final Instant TICK = Instant.parse("2026-11-23T02:00:00Z");

	private static final LockKey KEY = LockKey.of("nightly-report");

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final DynamoDbClient dynamoDb = recorded(InMemoryDynamoDb.withLockTable("locks"));

	private final LockClient client = LockClient.builder(this.dynamoDb).ownerName("node-1").build();

	private final LockedJobs jobs = new LockedJobs();

	private Instant now = TICK.plusSeconds(90);

	private final List<Object> published = new CopyOnWriteArrayList<>();

	private final LockedJobsEndpoint endpoint = endpoint(new JobClock(() -> this.now, Duration.ofSeconds(30)));

	private DynamoDbClient recorded(DynamoDbClient dynamoDb) {
		ProxyFactory recorded = new ProxyFactory(DynamoDbClient.class, new SingletonTargetSource(dynamoDb));
		recorded.addAdvice((MethodBeforeAdvice) (method, arguments, target) -> this.calls.add(method.getName()));
		return (DynamoDbClient) recorded.getProxy();
	}

	private LockedJobsEndpoint endpoint(JobClock clock) {
		return new LockedJobsEndpoint(this.jobs, clock, this.published::add);
	}

	@AfterEach
	void close() {
		this.client.close();
	}

	@Test
	void theDifferenceOfTheClocksIsShownInMilliseconds() {
		ProxyFactory client = new ProxyFactory(LockClient.class, new SingletonTargetSource(this.client));
		client.addAdvice((MethodInterceptor) (call) -> call.getMethod().getName().equals("serviceTime")
				? Optional.of(new ServiceTime(TICK, TICK)) : call.proceed());
		this.jobs.add(job((LockClient) client.getProxy()), Mockito.mock(JobExecutor.class));
		this.now = TICK.plusNanos(31_482_113);
		assertThat(job().clockDifference()).isEqualTo(Duration.ofMillis(31));
		this.now = TICK.minusNanos(31_482_113);
		assertThat(job().clockDifference()).isEqualTo(Duration.ofMillis(-31));
	}

	@Test
	void aJobThatNeverRanShowsItsSchedule() {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		assertThat(job()).satisfies((job) -> {
			assertThat(job.name()).isEqualTo("nightly-report");
			assertThat(job.key()).isEqualTo("nightly-report");
			assertThat(job.method()).isEqualTo("Reports.nightly");
			assertThat(job.schedule()).contains("0 0 2 * * *");
			assertThat(job.next()).isEqualTo(TICK.plus(Duration.ofDays(1)));
			assertThat(job.state()).isEqualTo(State.NEVER_RUN);
			assertThat(job.lastRun()).isNull();
			assertThat(job.lastFinished()).isNull();
			assertThat(job.missed()).isZero();
			assertThat(job.problems()).isNull();
			assertThat(job.clockDifference()).isNull();
			assertThat(job.heldBy()).isNull();
		});
	}

	@Test
	void aRunThatIsUnderWayShowsItsNodeAndSinceWhen() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		try (HeldLock lock = start(TICK)) {
			this.now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
			assertThat(job().state()).isEqualTo(State.RUNNING);
			assertThat(job().lastFinished()).isNull();
			assertThat(job().lastRun()).isEqualTo(
					new Run(TICK, 2, "node-1", TICK.plusSeconds(1), Duration.between(TICK.plusSeconds(1), this.now)));
			assertThat(job().heldBy()).isEqualTo(this.client.ownerName());
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void aRunThatHasFinishedShowsItsOutcomeAndDuration() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		finish(start(TICK), null);
		assertThat(job().state()).isEqualTo(State.FINISHED);
		assertThat(job().lastRun()).isEqualTo(new Run(TICK, 2, "node-1", TICK.plusSeconds(1), null));
		assertThat(job().lastFinished())
			.isEqualTo(new FinishedRun(TICK, TICK.plusSeconds(61), Duration.ofMinutes(1), JobOutcome.SUCCEEDED, null));
		assertThat(job().heldBy()).isNull();
		assertThat(job().lastSuccessAt()).isEqualTo(TICK.plusSeconds(61));
	}

	@Test
	void aRunThatFailedShowsItsError() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		finish(start(TICK), "IllegalStateException: no printer");
		assertThat(Objects.requireNonNull(job().lastFinished())).satisfies((run) -> {
			assertThat(run.outcome()).isEqualTo(JobOutcome.FAILED);
			assertThat(run.error()).isEqualTo("IllegalStateException: no printer");
		});
		assertThat(job().lastSuccessAt()).isNull();
	}

	@Test
	void aRunWhoseLockIsFreeAlthoughItDidNotFinishHasCrashed() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		start(TICK).release();
		assertThat(job().state()).isEqualTo(State.CRASHED);
	}

	@Test
	void anAttemptThatWasReturnedIsInterrupted() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		start(TICK).release(ReleaseRequest.create()
			.change(ItemChange.none()
				.attribute("jobAttempt", AttributeValue.fromN("1"))
				.removeAttributes("jobStartedAt", "jobNode")
				.removeData()));
		assertThat(job().state()).isEqualTo(State.INTERRUPTED);
		assertThat(job().lastRun()).isEqualTo(new Run(TICK, 1, null, null, null));
		assertThat(job().lastFinished()).isNull();
	}

	@Test
	void aCallOutsideOfTheScheduleIsNotShownAsARun() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		try (LockClient other = LockClient.builder(this.dynamoDb).ownerName("node-2").build();
				HeldLock lock = other.acquire(KEY)) {
			this.now = Instant.now();
			assertThat(job().state()).isEqualTo(State.NEVER_RUN);
			assertThat(job().heldBy()).isEqualTo(lock.record().ownerName()).startsWith("node-2");
			assertThat(job().lastRun()).isNull();
		}
		assertThat(job().heldBy()).isNull();
	}

	@Test
	void aRunThatCrashedDoesNotShowAsUnderWayWhileACallHoldsTheLock() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		start(TICK).release();
		try (HeldLock call = this.client.acquire(KEY)) {
			this.now = Instant.now();
			assertThat(job().state()).isEqualTo(State.CRASHED);
			assertThat(job().heldBy()).isEqualTo(call.record().ownerName());
		}
	}

	@Test
	void whatIsAnsweredCanBeReadByReflectionInANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, LockedJobsEndpoint.class);
		assertThat(LockedJobDescriptors.class.getDeclaredClasses()).hasSize(7)
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints));
	}

	@Test
	void aNodeThatCannotRunAJobSaysWhy() {
		JobExecutor closing = Mockito.mock(JobExecutor.class);
		Mockito.doThrow(new IllegalStateException("This node is shutting down")).when(closing).runNow(Mockito.any());
		this.jobs.add(job(this.client), closing);
		WebEndpointResponse<Done> response = this.endpoint.manage(new String[] { "nightly-report" }, Action.RUN, null,
				SecurityContext.NONE);
		assertThat(response.getStatus()).isEqualTo(409);
		assertThat(Objects.requireNonNull(response.getBody()).refusal()).isEqualTo("This node is shutting down");
		assertThat(this.published).isEmpty();
	}

	@Test
	void ticksThatAreOverSinceTheLatestRunAreMissed() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		finish(start(TICK), null);
		this.now = TICK.plus(Duration.ofDays(3)).plusSeconds(5);
		assertThat(job().missed()).isEqualTo(2);
	}

	@Test
	void aPausedJobSaysWhy() {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		job(this.client).pause("the printer is broken");
		assertThat(job().paused()).isEqualTo("the printer is broken");
		job(this.client).resume();
		assertThat(job().paused()).isNull();
	}

	@Test
	void whatCannotBeReadOfARecordIsListed() throws InterruptedException {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		this.client
			.acquire(LockRequest.of(KEY).change(ItemChange.none().attribute("jobTick", AttributeValue.fromS("today"))))
			.release();
		assertThat(job().problems()).anySatisfy((problem) -> assertThat(problem).contains("jobTick").contains("today"));
	}

	@Test
	void aJobIsShownByOneReadAndTheClockIsNotChecked() {
		JobClock dayAhead = new JobClock(() -> Instant.now().plus(Duration.ofDays(1)), Duration.ofSeconds(30)) {

			@Override
			public Optional<Reading> checked(LockedJob job) {
				throw new AssertionError("only a start checks the clock");
			}

		};
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		this.jobs.add(job("weekly-report"), Mockito.mock(JobExecutor.class));
		LockedJobsEndpoint shown = endpoint(dayAhead);
		this.calls.clear();
		assertThat(shown.jobs().jobs()).hasSize(2);
		assertThat(this.calls).containsExactly("getItem", "getItem");
		this.calls.clear();
		assertThat(shown.job(new String[] { "nightly-report" })).isNotNull();
		assertThat(this.calls).containsExactly("getItem");
	}

	@Test
	void oneJobIsShownByItsName() {
		this.jobs.add(job(this.client), Mockito.mock(JobExecutor.class));
		assertThat(this.endpoint.job(new String[] { "nightly-report" })).isNotNull();
		assertThat(this.endpoint.job(new String[] { "reports", "weekly" })).isNull();
	}

	@Test
	void onlySoManyJobsAreRead() {
		for (int i = 0; i <= LockedJobsEndpoint.MOST_SHOWN; i++) {
			this.jobs.add(job("tenant-" + i), Mockito.mock(JobExecutor.class));
		}
		Jobs shown = this.endpoint.jobs();
		assertThat(shown.jobs()).hasSize(LockedJobsEndpoint.MOST_SHOWN);
		assertThat(shown.truncated()).isTrue();
	}

	private Job job() {
		Jobs shown = this.endpoint.jobs();
		assertThat(shown.truncated()).isFalse();
		assertThat(shown.jobs()).hasSize(1);
		return shown.jobs().get(0);
	}

	/** As the claim of a run does. */
	private HeldLock start(Instant tick) throws InterruptedException {
		return this.client.acquire(LockRequest.of(KEY)
			.change(ItemChange.none()
				.attribute("jobTick", time(tick))
				.attribute("jobAttempt", AttributeValue.fromN("2"))
				.attribute("jobStartedAt", time(tick.plusSeconds(1)))
				.attribute("jobNode", AttributeValue.fromS("node-1"))
				.data((tick.toEpochMilli() + "#2").getBytes(StandardCharsets.UTF_8))));
	}

	/** As the release of a run does. */
	private static void finish(HeldLock lock, @Nullable String error) {
		Instant end = TICK.plusSeconds(61);
		ItemChange change = ItemChange.none()
			.attribute("jobFinishedTick", time(TICK))
			.attribute("jobFinishedAt", time(end));
		lock.release(ReleaseRequest.create()
			.change((error != null)
					? change.attribute("jobOutcome", AttributeValue.fromS("FAILED"))
						.attribute("jobError", AttributeValue.fromS(error))
					: change.attribute("jobOutcome", AttributeValue.fromS("SUCCEEDED"))
						.attribute("jobLastSuccessAt", time(end))));
	}

	private static AttributeValue time(Instant time) {
		return AttributeValue.fromN(Long.toString(time.toEpochMilli()));
	}

	private static JobSchedule schedule() {
		return JobSchedule.cron("0 0 2 * * *", ZoneOffset.UTC);
	}

	private LockedJob job(String name) {
		return new LockedJob(name, LockKey.of(name), false, "Reports.nightly", schedule(), 3, OnMissed.SKIP, null,
				this.client);
	}

	private static LockedJob job(LockClient client) {
		return new LockedJob("nightly-report", KEY, false, "Reports.nightly", schedule(), 3, OnMissed.SKIP, null,
				client);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs that the scheduler does not start: further attempts after a crash, and one for
 * missed ticks. Leases are real.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
@Order(1)
class RerunTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final String TICK = "2026-05-01T12:00:00Z";

	@Test
	void aNodeThatWasRefusedTheTickRunsItAgainWhenTheOwnerCrashes(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Report.class);
		node.run((crashing) -> node.run((other) -> {
			crashing.getBean(Report.class).during(() -> {
				JobNode.tick(other, "run", NOON);
				crashing.getBean(LockClient.class).closeWithoutReleasing();
			});
			JobNode.tick(crashing, "run", NOON);
			await().untilAsserted(() -> assertThat(events(other)).containsExactly("crashed " + TICK + ", rerun",
					"started " + TICK + " #2", "succeeded " + TICK + " #2"));
			assertThat(other.getBean(Report.class).thread()).as("a thread of the scheduler")
				.isNotEqualTo(Thread.currentThread().getName())
				.doesNotContain("dynamodb-lock");
			await().untilAsserted(() -> assertThat(JobNode.record(other, "report").isFinished()).isTrue());
			assertThat(JobNode.record(other, "report").attempt()).isEqualTo(2);
		}));
	}

	@Test
	void aReactiveJobIsRunAgainLikewise(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Endless.class).withUserConfiguration(Scheduling.class);
		node.run((crashing) -> {
			await().untilAsserted(() -> assertThat(events(crashing)).hasSize(1));
			node.run((other) -> {
				assertThat(JobNode.record(other, "reactive").attempt()).isEqualTo(1);
				crashing.getBean(LockClient.class).closeWithoutReleasing();
				await()
					.untilAsserted(() -> assertThat(events(other)).hasSize(2).first().asString().startsWith("crashed"));
				assertThat(JobNode.record(other, "reactive").attempt()).isEqualTo(2);
			});
		});
	}

	@Test
	void aNodeThatComesUpRunsWhatItsPredecessorDidNotFinish(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Report.class);
		node.run((crashing) -> {
			crashing.getBean(Report.class).during(crashing.getBean(LockClient.class)::closeWithoutReleasing);
			JobNode.tick(crashing, "run", NOON);
		});
		node.withUserConfiguration(Scheduling.class)
			.withPropertyValues("clock=" + NOON)
			.run((next) -> await().untilAsserted(
					() -> assertThat(events(next)).contains("started " + TICK + " #2", "succeeded " + TICK + " #2")));
	}

	@Test
	void aFailedRunIsNotRunAgain(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Report.class)
			.withPropertyValues("dynamodb-lock.lease-duration=1m");
		node.run((failing) -> node.run((other) -> {
			failing.getBean(Report.class).during(() -> {
				JobNode.tick(other, "run", NOON);
				throw new IllegalStateException("no paper");
			});
			try {
				JobNode.tick(failing, "run", NOON);
			}
			catch (IllegalStateException ex) {
				assertThat(ex).hasMessage("no paper");
			}
			JobNode.tick(other, "run", NOON.plusSeconds(1));
			assertThat(events(other)).isEmpty();
			assertThat(JobNode.record(other, "report").attempt()).isEqualTo(1);
		}));
	}

	@Test
	void theNextTickRunsAfterACrashIfTheJobIsNotToBeRunAgain(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Report.class);
		node.run((crashing) -> node.run((other) -> {
			crashing.getBean(Report.class).during(() -> {
				JobNode.tick(other, "notAgain", NOON);
				crashing.getBean(LockClient.class).closeWithoutReleasing();
			});
			JobNode.tick(crashing, "notAgain", NOON);
			await().untilAsserted(() -> {
				JobNode.tick(other, "notAgain", NOON.plus(Duration.ofMinutes(1)));
				assertThat(events(other)).containsExactly("crashed " + TICK, "started 2026-05-01T12:01:00Z #1",
						"succeeded 2026-05-01T12:01:00Z #1");
			});
		}));
	}

	@Test
	void missedTicksAreCaughtUpByOneRunWhenANodeComesUp(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Yearly.class);
		Instant first = Instant.parse("2020-01-01T02:00:00Z");
		node.run((before) -> JobNode.tick(before, "run", first));
		node.withUserConfiguration(Scheduling.class).withPropertyValues("clock=2023-05-01T12:00:00Z").run((after) -> {
			await().untilAsserted(() -> assertThat(events(after)).containsExactly(
					"missed [2021-01-01T02:00:00Z, 2022-01-01T02:00:00Z], run once", "started 2023-01-01T02:00:00Z #1",
					"succeeded 2023-01-01T02:00:00Z #1"));
			assertThat(after.getBean(Yearly.class).count()).isEqualTo(1);
		});
	}

	@Test
	void aContextThatIsStartedAgainCatchesUp(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, Yearly.class).withUserConfiguration(Scheduling.class).run((node) -> {
			JobNode.tick(node, "run", Instant.parse("2020-01-01T02:00:00Z"));
			node.getSourceApplicationContext().stop();
			node.getBean(JobNode.Clock.class).set(Instant.parse("2023-05-01T12:00:00Z"));
			node.getSourceApplicationContext().start();
			await().untilAsserted(() -> assertThat(events(node)).contains("started 2023-01-01T02:00:00Z #1",
					"succeeded 2023-01-01T02:00:00Z #1"));
		});
	}

	@Test
	void aBodyThatEndsSoonAfterItsSchedulerInterruptsItIsRunByTheNextNodeWithTheSameAttempt(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Report.class);
		assertThat(interruptedByShutdown(node, "run")).endsWith("interrupted " + TICK + " #1");
		node.withUserConfiguration(Scheduling.class)
			.withPropertyValues("clock=" + NOON)
			.run((next) -> await().untilAsserted(() -> assertThat(events(next))
				.containsExactly("started " + TICK + " #1", "succeeded " + TICK + " #1")));
	}

	@Test
	void aRunThatTheShutdownInterruptsIsOverIfItMayNotRunAgain(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Report.class);
		interruptedByShutdown(node, "notAgain");
		node.run((next) -> assertThat(JobNode.record(next, "not-again").outcome()).hasValue(JobOutcome.INTERRUPTED));
	}

	/** Closes a node while a body runs that does not end by itself. */
	private static List<String> interruptedByShutdown(ApplicationContextRunner node, String method) {
		AtomicReference<List<String>> events = new AtomicReference<>(List.of());
		node.withUserConfiguration(Scheduling.class, Scheduler.class, LifecycleAutoConfiguration.class)
			.withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=100ms")
			.run((closing) -> {
				events.set(events(closing));
				CountDownLatch begun = new CountDownLatch(1);
				closing.getBean(Report.class).during(() -> {
					begun.countDown();
					cleanUpWhenInterrupted();
				});
				closing.getBean(ThreadPoolTaskScheduler.class).execute(() -> JobNode.tick(closing, method, NOON));
				begun.await();
			});
		return events.get();
	}

	private static void cleanUpWhenInterrupted() {
		while (!Thread.interrupted()) {
			LockSupport.park();
		}
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
		throw new IllegalStateException("interrupted");
	}

	@Test
	void theLockOfABodyThatGoesOnWhenItsNodeClosesIsLeftToItsLease(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Unending.class);
		node.run((closing) -> {
			JobNode.tick(closing, "run", NOON);
			assertThat(events(closing)).containsExactly("started " + TICK + " #1");
		});
		node.run((other) -> {
			LockedJob job = JobNode.job(other, "unending");
			assertThat(job.client().find(job.key()).map(LockRecord::isReleased)).hasValue(false);
			assertThat(job.record().map(JobRecord::isFinished)).hasValue(false);
		});
	}

	@Test
	void readingRecordsAtStartupOccupiesNoThreadOfTheScheduler(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		AtomicBoolean ran = new AtomicBoolean();
		calls.deny((request) -> {
			if (request instanceof GetItemRequest) {
				// The answer comes when the scheduler's only thread has run something.
				await().untilTrue(ran);
			}
			return false;
		});
		JobNode.of(dynamoDb, Beside.class, calls::attach)
			.withBean("ran", AtomicBoolean.class, () -> ran)
			.withUserConfiguration(Scheduling.class)
			.run((node) -> {
				await().untilTrue(ran);
				await().untilAsserted(() -> assertThat(calls.calls()).contains("GetItemRequest"));
				assertThat(log.toString()).doesNotContainPattern("Could not read the records of job 'beside'");
			});
	}

	@Test
	void aBodyThatFailsWithALockExceptionOfItsOwnHasFailed(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		ApplicationContextRunner node = node(dynamoDb, FaultyLock.class);
		node.run((before) -> JobNode.tick(before, "run", Instant.parse("2020-01-01T02:00:00Z")));
		node.withUserConfiguration(Scheduling.class).withPropertyValues("clock=2023-05-01T12:00:00Z").run((after) -> {
			await().untilAsserted(() -> assertThat(log).contains("Unexpected error occurred in scheduled task",
					"no answer for a lock of the body"));
			assertThat(log.toString()).doesNotContainPattern("faulty-lock.* was not started");
			await().untilAsserted(
					() -> assertThat(JobNode.record(after, "faulty-lock").outcome()).hasValue(JobOutcome.FAILED));
		});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, Class<?> jobs) {
		return JobNode.of(dynamoDb, jobs).withPropertyValues("dynamodb-lock.lease-duration=6s");
	}

	private static List<String> events(ApplicationContext node) {
		return node.getBean(JobNode.Events.class).all();
	}

	@Configuration(proxyBeanMethods = false)
	static class Scheduler {

		@Bean
		ThreadPoolTaskScheduler scheduler() {
			return new ThreadPoolTaskScheduler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Report {

		private volatile Runnable body = () -> {
		};

		private volatile String thread = "";

		void during(Runnable body) {
			this.body = body;
		}

		String thread() {
			return this.thread;
		}

		@Scheduled(cron = "0 0 12 1 5 *", zone = "UTC")
		@ScheduledLock("report")
		public void run() {
			this.thread = Thread.currentThread().getName();
			this.body.run();
		}

		@Scheduled(cron = "0 * 12 1 5 *", zone = "UTC")
		@ScheduledLock(name = "not-again", attempts = 1)
		public void notAgain() {
			this.body.run();
		}

	}

	static class Endless {

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("reactive")
		public Mono<Void> reactive() {
			return Mono.never();
		}

	}

	static class Unending {

		@Scheduled(cron = "0 0 12 1 5 *", zone = "UTC")
		@ScheduledLock("unending")
		public CompletableFuture<Void> run() {
			return new CompletableFuture<>();
		}

	}

	static class FaultyLock {

		private final boolean fails;

		FaultyLock(Environment environment) {
			this.fails = environment.containsProperty("clock");
		}

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock(name = "faulty-lock", onMissed = OnMissed.RUN_ONCE)
		public void run() {
			if (this.fails) {
				throw new LockStoreException("no answer for a lock of the body", null);
			}
		}

	}

	static class Beside {

		private final AtomicBoolean ran;

		Beside(AtomicBoolean ran) {
			this.ran = ran;
		}

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock("beside")
		public void job() {
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		public void other() {
			this.ran.set(true);
		}

	}

	static class Yearly {

		private final AtomicInteger runs = new AtomicInteger();

		int count() {
			return this.runs.get();
		}

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock(name = "yearly", onMissed = OnMissed.RUN_ONCE)
		public void run() {
			this.runs.incrementAndGet();
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Calls of a job's method outside its schedule, as operators make them.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
@Order(1)
class ManualRunTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final Instant NEXT = NOON.plus(Duration.ofMinutes(1));

	@Test
	void aManualRunBelongsToNoTick(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "run", NOON);
			JobRecord before = JobNode.record(node, "report");
			JobNode.runNow(node, "report");
			JobNode.awaitFree(node, "report");
			assertThat(JobNode.record(node, "report")).satisfies((record) -> {
				assertThat(record.tick()).hasValue(NOON);
				assertThat(record.finishedAt()).isEqualTo(before.finishedAt());
				assertThat(record.lastSuccessAt().orElseThrow()).isAfter(before.lastSuccessAt().orElseThrow());
			});
			assertThat(job(node).thread()).isNotEqualTo(Thread.currentThread().getName())
				.doesNotContain("dynamodb-lock");
			assertThat(job(node).context()).isEmpty();
			JobNode.tick(node, "run", NOON);
			assertThat(job(node).count()).as("the same tick").isEqualTo(2);
			JobNode.tick(node, "run", NEXT);
			assertThat(job(node).count()).as("the next tick").isEqualTo(3);
			assertThat(events(node)).containsExactly("started 2026-05-01T12:00:00Z #1",
					"succeeded 2026-05-01T12:00:00Z #1", "started 2026-05-01T12:01:00Z #1",
					"succeeded 2026-05-01T12:01:00Z #1");
		});
	}

	@Test
	void aManualRunChangesNoRate(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "rate", NOON);
			node.getBean(JobNode.Clock.class).set(NOON.plusSeconds(40));
			JobNode.runNow(node, "rate");
			JobNode.awaitFree(node, "rate");
			JobNode.tick(node, "rate", NOON.plusSeconds(70));
			assertThat(job(node).count()).isEqualTo(3);
		});
	}

	@Test
	void aPausedJobIsRun(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.job(node, "report").pause("stock-taking");
			JobNode.runNow(node, "report");
			JobNode.awaitFree(node, "report");
			assertThat(job(node).count()).isEqualTo(1);
			assertThat(JobNode.record(node, "report").paused()).hasValue("stock-taking");
			assertThat(JobNode.record(node, "report").tick()).as("a job that never ran").isEmpty();
		});
	}

	@Test
	void aLockThatIsHeldRefusesAManualRun(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((running) -> node.run((other) -> {
			job(running).during(() -> assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> JobNode.runNow(other, "report"))
				.satisfies((ex) -> assertThat(ex.record().map(LockRecord::ownerName))
					.hasValue(running.getBean(LockClient.class).ownerName())));
			JobNode.tick(running, "run", NOON);
			assertThat(job(running).count()).isEqualTo(1);
			assertThat(job(other).count()).isZero();
		}));
	}

	@Test
	void aTickThatIsDueDuringAManualRunStartsAfterItOnce(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((running) -> node.run((other) -> {
			JobNode.tick(other, "run", NOON);
			CountDownLatch end = job(running).untilReleased();
			JobNode.runNow(running, "report");
			JobNode.tick(other, "run", NEXT);
			JobNode.tick(running, "run", NEXT);
			assertThat(job(other).count() + job(running).count()).as("runs so far").isEqualTo(2);
			end.countDown();
			await().until(() -> JobNode.record(other, "report").finishedTick().filter(NEXT::equals).isPresent());
			JobNode.tick(other, "run", NEXT.plusSeconds(20));
			JobNode.tick(running, "run", NEXT.plusSeconds(20));
			assertThat(job(other).count() + job(running).count()).as("runs in all").isEqualTo(3);
		}));
	}

	@Test
	void aManualRunOfANodeThatCrashesIsNotRunAgain(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((crashing) -> {
			job(crashing).during(crashing.getBean(LockClient.class)::closeWithoutReleasing);
			JobNode.runNow(crashing, "report");
			await().until(() -> job(crashing).count() == 1);
		});
		node.run((next) -> {
			JobNode.tick(next, "run", NOON);
			await().untilAsserted(() -> assertThat(events(next)).containsExactly("started 2026-05-01T12:00:00Z #1",
					"succeeded 2026-05-01T12:00:00Z #1"));
		});
	}

	@Test
	void aManualRunThatFailsIsLogged(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((node) -> {
			job(node).during(() -> {
				throw new IllegalStateException("no paper");
			});
			JobNode.runNow(node, "report");
			await().untilAsserted(() -> assertThat(log).contains("Unexpected error occurred in scheduled task",
					"java.lang.IllegalStateException: no paper"));
			JobNode.awaitFree(node, "report");
			assertThat(JobNode.record(node, "report").lastSuccessAt()).isEmpty();
		});
	}

	@Test
	void aReactiveJobIsRun(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.runNow(node, "reactive");
			JobNode.awaitFree(node, "reactive");
			assertThat(JobNode.record(node, "reactive").lastSuccessAt()).isPresent();
		});
	}

	/** Spring schedules it only if Reactor is absent. */
	@Test
	void aJobThatReturnsAFutureIsRun(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((node) -> {
			JobNode.runNow(node, "future");
			await().untilAsserted(() -> assertThat(log.toString()).containsPattern("ERROR .*job 'future'.* failed")
				.contains("java.lang.IllegalStateException: no ink"));
			JobNode.awaitFree(node, "future");
			node.getBean(LockClient.class).close();
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> JobNode.runNow(node, "future"));
		});
	}

	@Test
	void aFutureThatFailsAtATickIsLogged(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "future", Instant.parse("2026-05-01T02:00:00Z"));
			await().untilAsserted(() -> assertThat(log.toString())
				.containsPattern("ERROR .*attempt 1 of tick 2026-05-01T02:00:00Z of job 'future'.* failed")
				.contains("java.lang.IllegalStateException: no ink"));
		});
	}

	@Test
	void aJobIsRunUnderTheKeyOfItsLastCall(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.runNow(node, "tenant:a");
			JobNode.awaitFree(node, "tenant:a");
			job(node).tenant("b");
			JobNode.tick(node, "tenants", NOON);
			assertThat(node.getBean(LockedJobs.class).find("tenant:a")).isEmpty();
			JobNode.runNow(node, "tenant:b");
			JobNode.awaitFree(node, "tenant:b");
			assertThat(job(node).count()).isEqualTo(3);
		});
	}

	@Test
	void aJobOfAnotherApplicationIsNotRun(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			LockedJobs jobs = node.getBean(LockedJobs.class);
			LockedJob job = JobNode.job(node, "report");
			assertThatIllegalArgumentException().isThrownBy(() -> new LockedJobs().runNow(job));
			LockedJob ofAnotherClient = new LockedJob(job.name(), job.key(), job.keyed(), job.location(),
					job.schedule(), job.attempts(), job.onMissed(), job.holdAtMost(), Mockito.mock(LockClient.class));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.runNow(ofAnotherClient));
		});
	}

	@Test
	void aNodeThatCannotCallTheMethodReportsWhy(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			node.getBean(ThreadPoolTaskScheduler.class).shutdown();
			assertThatIllegalStateException().isThrownBy(() -> JobNode.runNow(node, "report"))
				.withMessageContaining("was not run on this node");
			node.getSourceApplicationContext().stop();
			assertThatIllegalStateException().isThrownBy(() -> JobNode.runNow(node, "report"))
				.withMessageContaining("the application context is stopped or closed");
			assertThat(job(node).count()).isZero();
		});
	}

	@Test
	void aSchedulerWithoutAFreeThreadIsReportedAndTheMethodNotCalledLater(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			CountDownLatch busy = new CountDownLatch(1);
			node.getBean(ThreadPoolTaskScheduler.class).execute(() -> awaitUninterruptibly(busy));
			assertThatIllegalStateException().isThrownBy(() -> JobNode.runNow(node, "report"))
				.withMessageContaining("no free thread");
			Thread.currentThread().interrupt();
			assertThatIllegalStateException().isThrownBy(() -> JobNode.runNow(node, "report"))
				.withMessageContaining("interrupted");
			assertThat(Thread.interrupted()).isTrue();
			busy.countDown();
			JobNode.runNow(node, "report");
			JobNode.awaitFree(node, "report");
			assertThat(job(node).count()).isEqualTo(1);
		});
	}

	@Test
	void aContextThatWasRestartedRunsJobsAgain(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			node.getSourceApplicationContext().stop();
			node.getSourceApplicationContext().start();
			JobNode.runNow(node, "report");
			JobNode.awaitFree(node, "report");
			JobNode.tick(node, "run", NOON);
			assertThat(job(node).count()).isEqualTo(2);
		});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return JobNode.of(dynamoDb, Jobs.class).withUserConfiguration(Schedulers.class);
	}

	private static Jobs job(ApplicationContext node) {
		return node.getBean(Jobs.class);
	}

	private static List<String> events(ApplicationContext node) {
		return node.getBean(JobNode.Events.class).all();
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Schedulers {

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			return new ThreadPoolTaskScheduler();
		}

	}

	static class Jobs {

		private final AtomicInteger runs = new AtomicInteger();

		private volatile Runnable body = () -> {
		};

		private volatile String thread = "";

		private volatile String tenant = "a";

		private volatile Optional<JobContext> context = Optional.empty();

		int count() {
			return this.runs.get();
		}

		String thread() {
			return this.thread;
		}

		/** Of the last run. */
		Optional<JobContext> context() {
			return this.context;
		}

		void during(Runnable body) {
			this.body = body;
		}

		/** Lets runs last until the latch is released. */
		CountDownLatch untilReleased() {
			CountDownLatch end = new CountDownLatch(1);
			during(() -> awaitUninterruptibly(end));
			return end;
		}

		void tenant(String tenant) {
			this.tenant = tenant;
		}

		public String tenant() {
			return this.tenant;
		}

		@Scheduled(cron = "0 * 12 1 5 *", zone = "UTC")
		@ScheduledLock("report")
		public void run() {
			this.runs.incrementAndGet();
			this.thread = Thread.currentThread().getName();
			this.context = JobContext.current();
			this.body.run();
		}

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
		@ScheduledLock("future")
		public CompletableFuture<Void> future() {
			return CompletableFuture.runAsync(() -> {
				throw new IllegalStateException("no ink");
			});
		}

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
		@ScheduledLock("reactive")
		public Mono<Void> reactive() {
			return Mono.delay(Duration.ofMillis(10)).then();
		}

		@Scheduled(fixedRate = 1, timeUnit = TimeUnit.MINUTES)
		@ScheduledLock("rate")
		public void rate() {
			this.runs.incrementAndGet();
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock(name = "tenant", key = "#root.target.tenant()")
		public void tenants() {
			this.runs.incrementAndGet();
		}

	}

}

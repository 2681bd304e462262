/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
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
 * Runs that an operator starts, beside ticks, reruns and crashes.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class ManualRunTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final Instant NEXT = NOON.plus(Duration.ofMinutes(1));

	private static final Duration SOON = Duration.ofSeconds(60);

	@Test
	void aManualRunIsOfNoTick(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "run", NOON);
			Instant success = JobNode.ledger(node, "report").lastSuccessAt().orElseThrow();
			JobNode.runNow(node, "report");
			awaitEvents(node, "started 2026-05-01T12:00:00Z #1", "succeeded 2026-05-01T12:00:00Z #1",
					"started manually", "succeeded manually");
			JobNode.awaitManualEnd(node, "report");
			assertThat(JobNode.ledger(node, "report")).satisfies((ledger) -> {
				assertThat(ledger.tick()).hasValue(NOON);
				assertThat(ledger.finishedTick()).hasValue(NOON);
				assertThat(ledger.isManual()).isTrue();
				assertThat(ledger.isFinished()).isTrue();
				assertThat(ledger.lastSuccessAt().orElseThrow()).isAfter(success);
			});
			assertThat(job(node).thread()).isNotEqualTo(Thread.currentThread().getName())
				.doesNotContain("dynamodb-lock");
			JobNode.tick(node, "run", NOON);
			assertThat(job(node).count()).as("the same tick").isEqualTo(2);
			JobNode.tick(node, "run", NEXT);
			assertThat(job(node).count()).as("the next tick").isEqualTo(3);
			assertThat(events(node)).noneMatch((event) -> event.startsWith("missed") || event.startsWith("crashed"));
		});
	}

	@Test
	void aJobThatNeverRanIsRun(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.runNow(node, "report");
			awaitEvents(node, "started manually", "succeeded manually");
			await().atMost(SOON).until(() -> JobNode.ledger(node, "report").isFinished());
			assertThat(JobNode.ledger(node, "report").tick()).isEmpty();
		});
	}

	@Test
	void aPausedJobIsNotRun(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			LockedJob job = node.getBean(LockedJobs.class).find("report").orElseThrow();
			job.pause("stock-taking");
			assertThatExceptionOfType(ConditionNotMetException.class).isThrownBy(() -> JobNode.runNow(node, "report"));
			job.resume();
			JobNode.runNow(node, "report");
			awaitEvents(node, "started manually", "succeeded manually");
		});
	}

	@Test
	void aJobThatRunsIsNotRunBesides(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((running) -> node.run((other) -> {
			job(running).during(() -> assertThatExceptionOfType(LockNotGrantedException.class)
				.isThrownBy(() -> JobNode.runNow(other, "report"))
				.withMessageContaining(running.getBean(LockClient.class).ownerName())
				.satisfies((ex) -> assertThat(ex.holder().map(LockRecord::ownerName))
					.hasValue(running.getBean(LockClient.class).ownerName())));
			JobNode.tick(running, "run", NOON);
			assertThat(events(running)).contains("succeeded 2026-05-01T12:00:00Z #1");
			assertThat(events(other)).isEmpty();
		}));
	}

	@Test
	void aTickThatIsDueDuringAManualRunStartsAfterItOnce(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((running) -> node.run((other) -> {
			JobNode.tick(other, "run", NOON);
			CountDownLatch end = job(running).untilReleased();
			JobNode.runNow(running, "report");
			awaitEvents(running, "started manually");
			JobNode.tick(other, "run", NEXT);
			JobNode.tick(running, "run", NEXT);
			assertThat(job(other).count() + job(running).count()).as("runs so far").isEqualTo(2);
			end.countDown();
			String tick = "started 2026-05-01T12:01:00Z #1";
			await().atMost(SOON).until(() -> events(other).contains(tick) || events(running).contains(tick));
			await().atMost(SOON).until(() -> JobNode.ledger(other, "report").isFinished());
			assertThat(JobNode.ledger(other, "report").finishedTick()).hasValue(NEXT);
			JobNode.tick(other, "run", NEXT.plusSeconds(20));
			JobNode.tick(running, "run", NEXT.plusSeconds(20));
			assertThat(job(other).count() + job(running).count()).as("runs in all").isEqualTo(3);
			assertThat(events(other)).noneMatch((event) -> event.startsWith("missed"));
			assertThat(events(running)).noneMatch((event) -> event.startsWith("missed"));
		}));
	}

	@Test
	void aCrashedTickIsRunAgainAfterAManualRun(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((crashing) -> {
			job(crashing).during(crashing.getBean(LockClient.class)::closeWithoutReleasing);
			JobNode.tick(crashing, "run", NOON);
		});
		node.run((manual) -> {
			// Refused until the owner has not renewed the lock for a lease.
			await().atMost(SOON)
				.ignoreException(LockNotGrantedException.class)
				.untilAsserted(() -> JobNode.runNow(manual, "report"));
			awaitEvents(manual, "started manually", "succeeded manually");
			await().atMost(SOON).until(() -> JobNode.ledger(manual, "report").isFinished());
			assertThat(JobNode.ledger(manual, "report").attempt()).isEqualTo(1);
		});
		node.withUserConfiguration(RerunTests.Scheduling.class)
			.run((next) -> await().atMost(SOON)
				.untilAsserted(
						() -> assertThat(events(next)).containsSubsequence("crashed 2026-05-01T12:00:00Z #1, rerun",
								"started 2026-05-01T12:00:00Z #2", "succeeded 2026-05-01T12:00:00Z #2")));
	}

	@Test
	void aManualRunThatCrashesIsReportedAndNotRunAgain(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((crashing) -> node.run((other) -> {
			JobNode.tick(other, "run", NOON);
			CountDownLatch end = job(crashing).untilReleased();
			JobNode.runNow(crashing, "report");
			awaitEvents(crashing, "started manually");
			JobNode.tick(other, "run", NEXT);
			crashing.getBean(LockClient.class).closeWithoutReleasing();
			end.countDown();
			awaitEvents(other, "started 2026-05-01T12:00:00Z #1", "succeeded 2026-05-01T12:00:00Z #1",
					"crashed manually", "started 2026-05-01T12:01:00Z #1", "succeeded 2026-05-01T12:01:00Z #1");
		}));
	}

	@Test
	void aManualRunThatCrashesIsReportedByATickThatWaitsForItsLock(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		crashManually(node, "careful");
		node.run((next) -> {
			JobNode.tick(next, "careful", NOON);
			awaitEvents(next, "crashed manually", "started 2026-05-01T12:00:00Z #1",
					"succeeded 2026-05-01T12:00:00Z #1");
		});
	}

	@Test
	void aManualRunThatCrashesIsReportedByTheNextManualRun(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		crashManually(node, "report");
		node.run((next) -> {
			JobNode.runNow(next, "report");
			awaitEvents(next, "crashed manually", "started manually", "succeeded manually");
		});
	}

	/** Crashes a node during a manual run, and awaits the end of the lease. */
	private static void crashManually(ApplicationContextRunner node, String name) {
		node.run((crashing) -> {
			job(crashing).during(crashing.getBean(LockClient.class)::closeWithoutReleasing);
			JobNode.runNow(crashing, name);
			awaitEvents(crashing, "started manually", "succeeded manually");
		});
		node.run((observer) -> await().atMost(SOON)
			.until(() -> observer.getBean(LockClient.class)
				.find(name)
				.filter((lock) -> lock.isOwnerSilent(Instant.now()))
				.isPresent()));
	}

	@Test
	void ticksDuringTheFirstRunOfAllAreReportedIfThatIsManual(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((running) -> node.run((other) -> {
			CountDownLatch end = job(running).untilReleased();
			JobNode.runNow(running, "report");
			awaitEvents(running, "started manually");
			JobNode.tick(other, "run", NOON);
			JobNode.tick(other, "run", NEXT);
			end.countDown();
			awaitEvents(other, "missed [2026-05-01T12:00:00Z]", "started 2026-05-01T12:01:00Z #1",
					"succeeded 2026-05-01T12:01:00Z #1");
		}));
	}

	@Test
	void aManualRunThatFailsIsInTheLedgerAndInTheLog(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((node) -> {
			job(node).during(() -> {
				throw new IllegalStateException("no paper");
			});
			JobNode.runNow(node, "report");
			awaitEvents(node, "started manually", "failed manually");
			await().atMost(SOON).until(() -> JobNode.ledger(node, "report").isFinished());
			assertThat(JobNode.ledger(node, "report").outcome()).hasValue(JobOutcome.FAILED);
			assertThat(JobNode.ledger(node, "report").error()).hasValue("java.lang.IllegalStateException: no paper");
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(log.toString())
					.containsPattern("ERROR .*manual run at .* of job 'report'.* failed"));
		});
	}

	@Test
	void aReactiveJobIsRunLikewise(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.runNow(node, "reactive");
			awaitEvents(node, "started manually", "succeeded manually");
			await().atMost(SOON).until(() -> JobNode.ledger(node, "reactive").isFinished());
		});
	}

	@Test
	void theNextRunAtARateCountsFromAManualOne(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "rate", NOON);
			node.getBean(JobNode.Clock.class).set(NOON.plusSeconds(40));
			JobNode.runNow(node, "rate");
			JobNode.awaitManualEnd(node, "rate");
			JobNode.tick(node, "rate", NOON.plusSeconds(70));
			assertThat(job(node).count()).as("after the manual run").isEqualTo(2);
			JobNode.tick(node, "rate", NOON.plusSeconds(110));
			assertThat(job(node).count()).as("a period after it").isEqualTo(3);
		});
	}

	@Test
	void aJobWithAKeyIsRunForEachKnownOne(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			assertThat(node.getBean(LockedJobs.class).find("tenant:a")).isEmpty();
			JobNode.tick(node, "tenants", NOON);
			job(node).tenant("b");
			JobNode.tick(node, "tenants", NOON);
			JobNode.runNow(node, "tenant:a");
			JobNode.awaitManualEnd(node, "tenant:a");
			assertThat(JobNode.ledger(node, "tenant:b").isFinishedManual()).isFalse();
			assertThat(job(node).count()).isEqualTo(3);
		});
	}

	@Test
	void aNodeThatCannotRunTheJobSaysWhy(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			LockedJobs jobs = node.getBean(LockedJobs.class);
			LockedJob job = jobs.find("report").orElseThrow();
			assertThatIllegalArgumentException().isThrownBy(() -> new LockedJobs().runNow(job));
			LockedJob ofAnotherClient = new LockedJob(job.name(), job.key(), job.location(), job.schedule(),
					job.onCrash(), job.attempts(), job.onMissed(), Mockito.mock(LockClient.class));
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.runNow(ofAnotherClient));
			node.getBean(JobNode.Clock.class).refuse("2 h ahead");
			assertThatIllegalStateException().isThrownBy(() -> jobs.runNow(job)).withMessageContaining("2 h ahead");
			node.getSourceApplicationContext().stop();
			assertThatIllegalStateException().isThrownBy(() -> jobs.runNow(job)).withMessageContaining("shutting down");
			assertThat(events(node)).isEmpty();
		});
	}

	@Test
	void aContextThatWasRestartedRunsJobsAlsoWithoutScheduling(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			node.getSourceApplicationContext().stop();
			node.getSourceApplicationContext().start();
			JobNode.runNow(node, "report");
			awaitEvents(node, "started manually", "succeeded manually");
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

	private static void awaitEvents(ApplicationContext node, String... events) {
		await().atMost(SOON).untilAsserted(() -> assertThat(events(node)).containsExactly(events));
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

		int count() {
			return this.runs.get();
		}

		String thread() {
			return this.thread;
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
			this.body.run();
		}

		@Scheduled(cron = "0 * 12 1 5 *", zone = "UTC")
		@ScheduledLock(name = "careful", onCrash = OnCrash.NEXT_TICK)
		public void careful() {
			this.body.run();
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Manual runs that wait for the only thread of their scheduler, or that it rejects.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class QueuedManualRunTests {

	private static final Duration SOON = Duration.ofSeconds(60);

	@Test
	void whatIsInTheWayAfterTheCheckIsLogged(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb, Slow.class).run((node) -> {
			CountDownLatch busy = new CountDownLatch(1);
			// The only thread of the job's scheduler is busy until the lock is held.
			occupy(node, busy);
			JobNode.runNow(node, "slow");
			HeldLock lock = node.getBean(LockClient.class).acquire("slow");
			busy.countDown();
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(log.toString())
					.containsPattern("WARN .*manual run at .* of job 'slow'.* was not started: Lock"));
			lock.release();
			assertThat(events(node)).isEmpty();
		});
	}

	@Test
	void aManualRunBeginsWhenTheSchedulerHasAThread(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, Slow.class).run((node) -> {
			CountDownLatch busy = new CountDownLatch(1);
			occupy(node, busy);
			JobNode.runNow(node, "slow");
			Instant later = Instant.now().plus(Duration.ofMinutes(20));
			node.getBean(JobNode.Clock.class).set(later);
			busy.countDown();
			awaitEvents(node, "started manually", "succeeded manually");
			await().atMost(SOON).until(() -> JobNode.ledger(node, "slow").isFinished());
			assertThat(JobNode.ledger(node, "slow")).satisfies((ledger) -> {
				assertThat(ledger.startedAt().orElseThrow()).isAfterOrEqualTo(later.truncatedTo(ChronoUnit.MILLIS));
				assertThat(ledger.manual()).isEqualTo(ledger.startedAt());
			});
		});
	}

	@Test
	void aSecondRequestBeforeTheRunStartsIsRefused(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, Slow.class).run((node) -> {
			CountDownLatch busy = new CountDownLatch(1);
			occupy(node, busy);
			JobNode.runNow(node, "slow");
			assertThatIllegalStateException().isThrownBy(() -> JobNode.runNow(node, "slow"))
				.withMessageContaining("a manual run of it waits on this node");
			busy.countDown();
			awaitEvents(node, "started manually", "succeeded manually");
			await().atMost(SOON).until(() -> JobNode.ledger(node, "slow").isFinished());
			JobNode.runNow(node, "slow");
			awaitEvents(node, "started manually", "succeeded manually", "started manually", "succeeded manually");
		});
	}

	@Test
	void aRunThatTheSchedulerRejectsIsReportedToTheCaller(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, Slow.class).run((node) -> {
			node.getBean("scheduler", ThreadPoolTaskScheduler.class).shutdown();
			for (int request = 0; request < 2; request++) {
				assertThatIllegalStateException().isThrownBy(() -> JobNode.runNow(node, "slow"))
					.withMessageContaining("its scheduler rejects it");
			}
		});
	}

	@Test
	void aJobThatReturnsAFutureReportsWhatItFailsWith(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb, FutureJob.class).run((node) -> {
			JobNode.runNow(node, "future");
			awaitEvents(node, "started manually", "failed manually");
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(log.toString())
					.containsPattern("ERROR .*manual run at .* of job 'future'.* failed")
					.contains("java.lang.IllegalStateException: no paper"));
		});
	}

	@Test
	void aJobThatReturnsAFutureReportsThatItsLockIsOutOfReach(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb, FutureJob.class).run((node) -> {
			CountDownLatch busy = new CountDownLatch(1);
			occupy(node, busy);
			JobNode.runNow(node, "future");
			node.getBean(LockClient.class).close();
			busy.countDown();
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(log.toString())
					.containsPattern("WARN .*manual run at .* of job 'future'.* was not started: "));
			assertThat(events(node)).isEmpty();
		});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, Class<?> job) {
		return JobNode.of(dynamoDb, job)
			.withBean("scheduler", ThreadPoolTaskScheduler.class, ThreadPoolTaskScheduler::new);
	}

	/** Keeps the scheduler's only thread busy until the latch is released. */
	private static void occupy(ApplicationContext node, CountDownLatch busy) {
		node.getBean("scheduler", Executor.class).execute(() -> {
			try {
				busy.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
	}

	private static List<String> events(ApplicationContext node) {
		return node.getBean(JobNode.Events.class).all();
	}

	private static void awaitEvents(ApplicationContext node, String... events) {
		await().atMost(SOON).untilAsserted(() -> assertThat(events(node)).containsExactly(events));
	}

	static class Slow {

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC", scheduler = "scheduler")
		@ScheduledLock("slow")
		public void run() {
		}

	}

	/** Spring schedules it only if Reactor is absent. */
	static class FutureJob {

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC", scheduler = "scheduler")
		@ScheduledLock("future")
		public CompletableFuture<Void> run() {
			return CompletableFuture.runAsync(() -> {
				throw new IllegalStateException("no paper");
			});
		}

	}

}

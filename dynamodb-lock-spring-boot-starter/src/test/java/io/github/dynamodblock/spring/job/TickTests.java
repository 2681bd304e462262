/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Which calls of a scheduled method run, by the record in the item of its lock.
 */
@ExtendWith(DynamoDbExtension.class)
class TickTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	@Test
	void eachTickRunsOnceAlthoughClocksDiffer(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((late) -> node.run((right) -> node.run((early) -> {
			Map<Instant, Integer> runs = new TreeMap<>();
			for (int i = 0; i < 20; i++) {
				Instant tick = NOON.plus(Duration.ofMinutes(i));
				// Each node fires at the tick by its clock: first the one whose clock is
				// ahead.
				JobNode.tick(early, "run", tick);
				JobNode.tick(right, "run", tick.plusMillis(3));
				// A timer that is early by its clock.
				JobNode.tick(late, "run", tick.minusMillis(500));
				runs.put(tick, runs(late) + runs(right) + runs(early));
			}
			assertThat(runs.values()).as("runs after each tick")
				.containsExactlyElementsOf(IntStream.rangeClosed(1, 20).boxed().toList());
		})));
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return JobNode.of(dynamoDb, Minutely.class).withPropertyValues("dynamodb-lock.lease-duration=30s");
	}

	private static int runs(ApplicationContext node) {
		return node.getBean(Minutely.class).count();
	}

	@Test
	void aRunCostsTwoWritesAndANodeThatIsRefusedOne(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		ApplicationContextRunner node = JobNode.of(dynamoDb, Minutely.class, calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=1h");
		node.run((one) -> node.run((two) -> {
			calls.clear();
			JobNode.tick(one, "run", NOON);
			assertThat(calls.calls()).as("a run").containsExactly("UpdateItemRequest", "UpdateItemRequest");
			calls.clear();
			JobNode.tick(two, "run", NOON);
			assertThat(calls.calls()).as("a refusal").containsExactly("UpdateItemRequest");
		}));
	}

	@Test
	void theRecordShowsTheRun(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "run", NOON.plusMillis(20));
			JobRecord record = JobNode.record(node, "minutely");
			assertThat(record.tick()).hasValue(NOON);
			assertThat(record.attempt()).isEqualTo(1);
			assertThat(record.node()).hasValue(node.getBean(LockClient.class).ownerName());
			assertThat(record.isFinished()).isTrue();
			assertThat(record.outcome()).hasValue(JobOutcome.SUCCEEDED);
			assertThat(record.lastSuccessAt()).isEqualTo(record.finishedAt()).isPresent();
			assertThat(record.error()).isEmpty();
		});
	}

	@Test
	void theRecordShowsAFailureAndTheLastSuccess(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "run", NOON);
			Instant success = JobNode.record(node, "minutely").lastSuccessAt().orElseThrow();
			node.getBean(Minutely.class).failWith(new IllegalStateException("no paper"));
			assertThatIllegalStateException()
				.isThrownBy(() -> JobNode.tick(node, "run", NOON.plus(Duration.ofMinutes(1))));
			JobRecord record = JobNode.record(node, "minutely");
			assertThat(record.outcome()).hasValue(JobOutcome.FAILED);
			assertThat(record.error()).hasValue("java.lang.IllegalStateException: no paper");
			assertThat(record.lastSuccessAt()).hasValue(success);
			assertThat(record.isFinished()).isTrue();
			assertThat(events(node)).containsExactly("started 2026-05-01T12:00:00Z #1",
					"succeeded 2026-05-01T12:00:00Z #1", "started 2026-05-01T12:01:00Z #1",
					"failed 2026-05-01T12:01:00Z #1");
		});
	}

	@Test
	void aCallThatDoesNotComeFromTheSchedulerHasAPlainLock(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "run", NOON);
			node.getBean(Minutely.class).run();
			node.getBean(Minutely.class).run();
			assertThat(runs(node)).isEqualTo(3);
			assertThat(JobNode.record(node, "minutely").tick()).hasValue(NOON);
			JobNode.tick(node, "run", NOON.plus(Duration.ofMinutes(1)));
			assertThat(runs(node)).as("the next tick").isEqualTo(4);
		});
	}

	@Test
	void aPausedJobDoesNotRun(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.delete-on-release=true").run((node) -> {
			JobNode.tick(node, "run", NOON);
			LockedJob job = node.getBean(LockedJobs.class).find("minutely").orElseThrow();
			job.pause("stock-taking");
			assertThat(job.record().orElseThrow().paused()).hasValue("stock-taking");
			JobNode.tick(node, "run", NOON.plus(Duration.ofMinutes(1)));
			assertThat(runs(node)).isEqualTo(1);
			job.resume();
			assertThat(job.record().orElseThrow().tick()).as("the record is kept").hasValue(NOON);
			JobNode.tick(node, "run", NOON.plus(Duration.ofMinutes(1)));
			assertThat(runs(node)).isEqualTo(2);
		});
	}

	@Test
	void aPausedJobHasNoTimeToLive(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			LockedJob job = node.getBean(LockedJobs.class).find("minutely").orElseThrow();
			job.pause("stock-taking");
			assertThat(item(node)).containsKey("jobPaused").doesNotContainKey("expiresAt");
		});
	}

	private static Map<String, AttributeValue> item(ApplicationContext node) {
		String table = Objects.requireNonNull(node.getEnvironment().getProperty("dynamodb-lock.table.name"));
		List<Map<String, AttributeValue>> items = node.getBean(DynamoDbClient.class)
			.scan((scan) -> scan.tableName(table))
			.items();
		assertThat(items).hasSize(1);
		return items.get(0);
	}

	@Test
	void aPausedJobThatRunsGoesOnAndStartsNoMore(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			LockedJob job = JobNode.job(node, "minutely");
			node.getBean(Minutely.class).during(() -> job.pause("stock-taking"));
			JobNode.tick(node, "run", NOON);
			JobNode.tick(node, "run", NOON.plus(Duration.ofMinutes(1)));
			assertThat(events(node)).containsExactly("started 2026-05-01T12:00:00Z #1",
					"succeeded 2026-05-01T12:00:00Z #1");
		});
	}

	@Test
	void aResumeBesideATickRefusesNoNode(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		ApplicationContextRunner node = JobNode.of(dynamoDb, Minutely.class, calls::attach);
		node.run((one) -> {
			JobNode.tick(one, "run", NOON);
			AtomicBoolean ticked = new AtomicBoolean();
			// The tick comes while the call is under way.
			calls.deny((request) -> {
				if (request instanceof UpdateItemRequest && ticked.compareAndSet(false, true)) {
					JobNode.tick(one, "run", NOON.plus(Duration.ofMinutes(1)));
				}
				return false;
			});
			JobNode.job(one, "minutely").resume();
			assertThat(events(one)).contains("succeeded 2026-05-01T12:01:00Z #1");
			assertThat(JobNode.record(one, "minutely").outcome()).hasValue(JobOutcome.SUCCEEDED);
		});
	}

	@Test
	void aRunThatEndedIsNotRunAgainByANodeThatComesUp(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((killed) -> {
			JobNode.tick(killed, "run", NOON);
			killed.getBean(LockClient.class).closeWithoutReleasing();
		});
		node.run((next) -> {
			assertThat(JobNode.record(next, "minutely").outcome()).hasValue(JobOutcome.SUCCEEDED);
			JobNode.tick(next, "run", NOON);
			assertThat(events(next)).isEmpty();
		});
	}

	@Test
	void noTickIsClaimedOnceTheContextIsClosing(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			node.publishEvent(new ContextClosedEvent(node.getSourceApplicationContext()));
			JobNode.tick(node, "run", NOON);
			assertThat(events(node)).isEmpty();
			assertThat(JobNode.job(node, "minutely").record()).isEmpty();
			node.getBean(Minutely.class).run();
			assertThat(runs(node)).as("a plain call").isEqualTo(1);
		});
	}

	@Test
	void aRunThatExceedsHoldAtMostIsRecordedAndNotRunAgain(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((one) -> node.run((two) -> {
			one.getBean(Minutely.class).during(() -> await().until(() -> JobNode.record(one, "limited").isFinished()));
			JobNode.tick(one, "limited", NOON);
			assertThat(events(one)).containsExactly("started 2026-05-01T12:00:00Z #1",
					"timed_out 2026-05-01T12:00:00Z #1");
			assertThat(JobNode.record(one, "limited").outcome()).hasValue(JobOutcome.TIMED_OUT);
			JobNode.tick(two, "limited", NOON);
			assertThat(events(two)).isEmpty();
		}));
	}

	@Test
	void aTickThatNoNodeRanIsReportedByTheNextRun(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((node) -> {
			JobNode.tick(node, "run", NOON);
			JobNode.tick(node, "run", NOON.plus(Duration.ofMinutes(3)));
			JobNode.tick(node, "run", NOON.plus(Duration.ofMinutes(4)));
			assertThat(events(node)).filteredOn((event) -> event.startsWith("missed"))
				.containsExactly("missed [2026-05-01T12:01:00Z, 2026-05-01T12:02:00Z]");
		});
	}

	@Test
	void theRateAndTheDelayAreTheClustersAndNotTheNodes(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((one) -> node.run((two) -> {
			for (String method : new String[] { "rate", "delay" }) {
				int before = runs(one) + runs(two);
				JobNode.tick(one, method, NOON);
				JobNode.tick(two, method, NOON.plusSeconds(30));
				assertThat(runs(one) + runs(two)).as(method).isEqualTo(before + 1);
				JobNode.tick(two, method, NOON.plusSeconds(90));
				JobNode.tick(one, method, NOON.plusSeconds(100));
				assertThat(runs(one) + runs(two)).as(method).isEqualTo(before + 2);
			}
		}));
	}

	@Test
	void aRepetitionOfAFailedCallIsNoFurtherTick(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = JobNode.of(dynamoDb, Retried.class)
			.withPropertyValues("dynamodb-lock.lease-duration=30s")
			.withUserConfiguration(Retries.class);
		node.run((one) -> node.run((two) -> {
			JobNode.tick(one, "run", NOON);
			assertThat(one.getBean(Retried.class).count()).as("the failed run and its repetition").isEqualTo(2);
			assertThat(JobNode.record(one, "retried").outcome()).hasValue(JobOutcome.FAILED);
			assertThat(events(one)).containsExactly("started 2026-05-01T12:00:00Z #1",
					"failed 2026-05-01T12:00:00Z #1");
			JobNode.tick(two, "run", NOON);
			assertThat(two.getBean(Retried.class).count()).as("the same tick on another node").isZero();
			JobNode.tick(one, "run", NOON.plus(Duration.ofMinutes(1)));
			assertThat(one.getBean(Retried.class).count()).as("the next tick").isEqualTo(3);
			assertThat(JobNode.record(one, "retried").outcome()).hasValue(JobOutcome.SUCCEEDED);
		}));
	}

	@Test
	void aCallByAnotherScheduledMethodOfTheSameNameHasAPlainLock(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Outer.class)
			.withBean("inner", Minutely.class)
			.withPropertyValues("dynamodb-lock.lease-duration=30s")
			.run((node) -> {
				JobNode.tick(node, "run", NOON);
				JobNode.tick(node, "run", NOON);
				assertThat(runs(node)).isEqualTo(2);
				assertThat(events(node)).isEmpty();
			});
	}

	@Test
	void aJobBehindAProxyOfItsInterfaceHasTicks(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Implementation.class)
			.withPropertyValues("dynamodb-lock.lease-duration=30s", "spring.aop.proxy-target-class=false")
			.run((node) -> {
				assertThat(node.getBean("jobs")).isInstanceOf(Proxy.class);
				JobNode.tick(node, "run", NOON);
				assertThat(events(node)).containsExactly("started 2026-05-01T12:00:00Z #1",
						"succeeded 2026-05-01T12:00:00Z #1");
			});
	}

	@Test
	void theItemOfAJobsLockIsKept(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.delete-on-release=true").run((node) -> {
			JobNode.tick(node, "run", NOON);
			node.getBean(Minutely.class).run();
			assertThat(JobNode.record(node, "minutely").tick()).hasValue(NOON);
		});
	}

	@Test
	void aNodeThatDoesNotScheduleTheJobKeepsItsItem(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = JobNode.of(dynamoDb, Switchable.class);
		node.run((scheduling) -> node.withPropertyValues("cron=-", "dynamodb-lock.delete-on-release=true")
			.run((other) -> {
				JobNode.tick(scheduling, "run", NOON);
				other.getBean(Switchable.class).run();
				assertThat(JobNode.record(scheduling, "switchable").tick()).hasValue(NOON);
			}));
		node.withPropertyValues("cron=-").run((other) -> {
			other.getBean(Switchable.class).run();
			// DynamoDB ignores a time to live that is not a number.
			assertThat(item(other)).containsKey("jobTick").containsEntry("expiresAt", AttributeValue.fromS("kept"));
		});
	}

	@Test
	void theItemOfAMethodThatIsNoJobExpires(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Unscheduled.class).run((node) -> {
			node.getBean(Unscheduled.class).run();
			assertThat(item(node)).containsKey("expiresAt");
		});
	}

	private static List<String> events(ApplicationContext node) {
		return node.getBean(JobNode.Events.class).all();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Retries {

	}

	static class Retried {

		private final AtomicInteger runs = new AtomicInteger();

		int count() {
			return this.runs.get();
		}

		@Retryable(maxRetries = 1, delay = 1)
		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("retried")
		public void run() {
			if (this.runs.incrementAndGet() == 1) {
				throw new IllegalStateException("no paper");
			}
		}

	}

	static class Outer {

		private final Minutely inner;

		Outer(Minutely inner) {
			this.inner = inner;
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		public void run() {
			this.inner.run();
		}

	}

	interface Job {

		void run();

	}

	static class Implementation implements Job {

		@Override
		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("implementation")
		public void run() {
		}

	}

	static class Switchable {

		@Scheduled(cron = "${cron:0 * * * * *}", zone = "UTC")
		@ScheduledLock("switchable")
		public void run() {
		}

	}

	static class Unscheduled {

		@ScheduledLock("unscheduled")
		public void run() {
		}

	}

	static class Minutely {

		private final AtomicInteger runs = new AtomicInteger();

		private volatile @Nullable RuntimeException failure;

		private volatile Runnable body = () -> {
		};

		void during(Runnable body) {
			this.body = body;
		}

		int count() {
			return this.runs.get();
		}

		void failWith(RuntimeException failure) {
			this.failure = failure;
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("minutely")
		public void run() {
			this.runs.incrementAndGet();
			this.body.run();
			RuntimeException thrown = this.failure;
			if (thrown != null) {
				throw thrown;
			}
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock(name = "limited", holdAtMost = "100ms")
		public void limited() {
			this.body.run();
		}

		@Scheduled(fixedRate = 1, timeUnit = TimeUnit.MINUTES)
		@ScheduledLock("rate")
		public void rate() {
			this.runs.incrementAndGet();
		}

		@Scheduled(fixedDelayString = "${delay:1m}")
		@ScheduledLock("delay")
		public void delay() {
			this.runs.incrementAndGet();
		}

	}

}

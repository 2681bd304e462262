/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Ticks that the application names, because another scheduler calls the method.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class NamedTickTests {

	private static final JobSchedule HOURLY = JobSchedule.cron("0 0 * * * *", ZoneOffset.UTC);

	private static final JobSchedule EACH_TEN_MINUTES = JobSchedule.cron("0 */10 * * * *", ZoneOffset.UTC);

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	@Test
	void eachTickRunsOnOneOfTheNodesThatNameIt(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			tick(first, HOURLY, NOON.plusMillis(20));
			tick(second, HOURLY, NOON.plusMillis(3_000));
			tick(second, HOURLY, NOON.plusSeconds(3_600));
			tick(first, HOURLY, NOON.plusSeconds(3_601));
			assertThat(runs(first)).containsExactly(NOON.toString());
			assertThat(runs(second)).containsExactly(NOON.plusSeconds(3_600).toString());
			assertThat(JobNode.job(first, "report").schedule()).isEqualTo(HOURLY);
		}));
	}

	@Test
	void aScheduleThatChangesBetweenTwoCallsCountsFromThenOn(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			tick(first, HOURLY, NOON);
			Instant later = NOON.plusSeconds(600);
			tick(second, EACH_TEN_MINUTES, later);
			tick(first, EACH_TEN_MINUTES, later.plusSeconds(1));
			assertThat(runs(first)).containsExactly(NOON.toString());
			assertThat(runs(second)).containsExactly(later.toString());
			assertThat(JobNode.job(first, "report").schedule()).isEqualTo(EACH_TEN_MINUTES);
		}));
	}

	@Test
	void aNodeThatKnowsOnlyTheOldScheduleRunsNoTickOfItAgain(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			tick(first, EACH_TEN_MINUTES, NOON.plusSeconds(600));
			tick(second, HOURLY, NOON.plusSeconds(601));
			assertThat(runs(second)).isEmpty();
		}));
	}

	@Test
	void aTickWhoseNodeCrashedIsRerun(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb).withPropertyValues("dynamodb-lock.lease-duration=2s");
		node.run((first) -> node.run((second) -> {
			CompletableFuture<Void> end = new CompletableFuture<>();
			first.getBean(Report.class).until(end);
			try {
				CompletableFuture<Void> crashing = CompletableFuture.runAsync(() -> tick(first, HOURLY, NOON));
				await().until(() -> !runs(first).isEmpty());
				tick(second, HOURLY, NOON);
				first.getBean(LockClient.class).closeWithoutReleasing();
				await().untilAsserted(() -> assertThat(runs(second)).containsExactly(NOON.toString()));
				await().untilAsserted(() -> assertThat(JobNode.record(second, "report").attempt()).isEqualTo(2));
				assertThat(crashing).isNotDone();
			}
			finally {
				end.complete(null);
			}
		}));
	}

	@Test
	void missedTicksAreMadeUpForByTheNextOne(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			tick(context, HOURLY, NOON);
			tick(context, HOURLY, NOON.plusSeconds(3 * 3_600));
			assertThat(context.getBean(JobNode.Events.class).all())
				.anyMatch((event) -> event.startsWith("missed") && event.endsWith("run once"));
		});
	}

	@Test
	void aPublisherIsATickToo(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb);
		node.run((first) -> node.run((second) -> {
			for (ApplicationContext each : List.of(first, second)) {
				each.getBean(JobNode.Clock.class).set(NOON);
				each.getBean(LockedJobs.class).tick(HOURLY, () -> each.getBean(Report.class).later().block());
			}
			assertThat(runs(first)).containsExactly("later");
			assertThat(runs(second)).isEmpty();
		}));
	}

	@Test
	void onlyTheFirstJobThatTheCallReachesIsTheTick(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			Report report = context.getBean(Report.class);
			context.getBean(JobNode.Clock.class).set(NOON);
			context.getBean(LockedJobs.class).tick(HOURLY, () -> {
				report.run();
				report.unnamed();
			});
			assertThat(runs(context)).containsExactly(NOON.toString(), "unnamed without a tick");
			assertThat(log.toString()).containsOnlyOnce("Report.unnamed() has @ScheduledLock, but neither @Scheduled");
		});
	}

	@Test
	void anotherCallOfAMethodThatHasTicksHasAPlainLock(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			tick(context, HOURLY, NOON);
			context.getBean(Report.class).run();
			assertThat(runs(context)).containsExactly(NOON.toString(), "without a tick");
			assertThat(log.toString()).doesNotContain("neither @Scheduled");
		});
	}

	@Test
	void theFailureOfTheMethodReachesWhoeverNamesTheTick(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			context.getBean(JobNode.Clock.class).set(NOON);
			LockedJobs jobs = context.getBean(LockedJobs.class);
			Report report = context.getBean(Report.class);
			assertThatIllegalStateException().isThrownBy(() -> jobs.tick(HOURLY, report::fail)).withMessage("no paper");
			assertThat(JobNode.record(context, "failing").outcome()).hasValue(JobOutcome.FAILED);
		});
	}

	@Test
	void aMethodWithParametersIsRefused(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockedJobs jobs = context.getBean(LockedJobs.class);
			Report report = context.getBean(Report.class);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.tick(HOURLY, () -> report.of("eu")))
				.withMessageContaining("has parameters");
			assertThat(runs(context)).isEmpty();
		});
	}

	@Test
	void aTickIsRefusedWhereSchedulingIsNotEnabled(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean("jobs", Report.class)
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(LockedJobs.class).tick(HOURLY, context.getBean(Report.class)::run))
				.withMessageContaining("Enable scheduling"));
	}

	@Test
	void aCallThatReachesNoJobIsAWarning(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			LockedJobs jobs = context.getBean(LockedJobs.class);
			jobs.tick(HOURLY, Mockito.mock(Report.class)::run);
			assertThat(log.toString()).containsOnlyOnce("has reached no method that has @ScheduledLock");
			jobs.tick(HOURLY, context.getBean(Report.class)::scheduled);
			assertThat(log.toString()).contains("and not @Scheduled");
			assertThat(runs(context)).containsExactly("scheduled without a tick");
		});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return JobNode.of(dynamoDb, Report.class).withUserConfiguration(Scheduling.class);
	}

	private static void tick(ApplicationContext node, JobSchedule schedule, Instant time) {
		node.getBean(JobNode.Clock.class).set(time);
		node.getBean(LockedJobs.class).tick(schedule, node.getBean(Report.class)::run);
	}

	private static List<String> runs(ApplicationContext node) {
		return node.getBean(Report.class).runs();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Report {

		private final List<String> runs = new CopyOnWriteArrayList<>();

		private volatile @Nullable CompletableFuture<Void> end;

		@ScheduledLock(name = "report", onMissed = OnMissed.RUN_ONCE)
		public void run() {
			ran("");
			CompletableFuture<Void> until = this.end;
			if (until != null) {
				until.join();
			}
		}

		@ScheduledLock("later")
		public Mono<Void> later() {
			return Mono.fromRunnable(() -> this.runs.add("later"));
		}

		@ScheduledLock("unnamed")
		public void unnamed() {
			ran("unnamed ");
		}

		@ScheduledLock("failing")
		public void fail() {
			throw new IllegalStateException("no paper");
		}

		@ScheduledLock(name = "regional", key = "#region")
		public void of(String region) {
			ran(region);
		}

		@Scheduled(cron = "0 0 2 * * *")
		@ScheduledLock("scheduled")
		public void scheduled() {
			ran("scheduled ");
		}

		private void ran(String what) {
			this.runs.add(JobContext.current()
				.map((context) -> what + context.scheduledTime())
				.orElse(what + "without a tick"));
		}

		public void until(CompletableFuture<Void> end) {
			this.end = end;
		}

		public List<String> runs() {
			return this.runs;
		}

	}

}

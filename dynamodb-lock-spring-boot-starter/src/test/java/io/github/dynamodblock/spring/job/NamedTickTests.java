/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
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
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;

import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
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
			assertThat(log.toString()).containsOnlyOnce("Report.unnamed() has @ScheduledLock, but no @Scheduled");
		});
	}

	@Test
	void anotherCallOfAMethodThatHasTicksHasAPlainLock(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			tick(context, HOURLY, NOON);
			context.getBean(Report.class).run();
			assertThat(runs(context)).containsExactly(NOON.toString(), "without a tick");
			assertThat(log.toString()).doesNotContain("but no @Scheduled");
		});
	}

	@Test
	void theFailureOfTheMethodReachesTheCallerOfTheTick(EmbeddedDynamoDb dynamoDb) {
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
	void missedTicksOfARateAreRefusedBecauseTheyAreUnknown(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockedJobs jobs = context.getBean(LockedJobs.class);
			Report report = context.getBean(Report.class);
			assertThatIllegalArgumentException()
				.isThrownBy(() -> jobs.tick(JobSchedule.fixedRate(Duration.ofMinutes(1)), report::run))
				.withMessageContaining("has RUN_ONCE");
		});
	}

	@Test
	@SuppressWarnings({ "NullAway", "DataFlowIssue" })
	void aScheduleThatIsNoneIsRefusedBeforeTheCall(EmbeddedDynamoDb dynamoDb) {
		assertThatIllegalArgumentException().isThrownBy(() -> JobSchedule.cron("0 0 0 30 2 *", ZoneOffset.UTC))
			.withMessageContaining("never fires");
		assertThatIllegalArgumentException().isThrownBy(() -> JobSchedule.fixedRate(Duration.ZERO))
			.withMessageContaining("positive");
		assertThatIllegalArgumentException().isThrownBy(() -> JobSchedule.fixedDelay(Duration.ofSeconds(-1)))
			.withMessageContaining("not negative");
		node(dynamoDb).run((context) -> {
			LockedJobs jobs = context.getBean(LockedJobs.class);
			Report report = context.getBean(Report.class);
			assertThatNullPointerException().isThrownBy(() -> jobs.tick(null, report::run)).withMessage("schedule");
			assertThat(runs(context)).isEmpty();
		});
	}

	@Test
	void aMethodWithTheLockOfAnotherJobIsRefused(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockedJobs jobs = context.getBean(LockedJobs.class);
			Report report = context.getBean(Report.class);
			assertThatIllegalArgumentException().isThrownBy(() -> jobs.tick(HOURLY, report::sameName))
				.withMessageContaining("has the lock of job 'scheduled'");
			assertThat(runs(context)).isEmpty();
		});
	}

	@Test
	void theBeanOfTheLatestCallHasTheJob(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Once.class)
			.withUserConfiguration(Scheduling.class)
			.withInitializer((context) -> context.addBeanFactoryPostProcessor(
					(beans) -> beans.getBeanDefinition("jobs").setScope(BeanDefinition.SCOPE_PROTOTYPE)))
			.run((context) -> {
				Once first = context.getBean(Once.class);
				tick(context, EACH_TEN_MINUTES, NOON, first::run);
				tick(context, HOURLY, NOON.plusSeconds(3_600), context.getBean(Once.class)::run);
				tick(context, EACH_TEN_MINUTES, NOON.plusSeconds(4_200), first::run);
				assertThat(JobNode.record(context, "once").tick()).hasValue(NOON.plusSeconds(4_200));
				assertThat(JobNode.job(context, "once").schedule()).isEqualTo(EACH_TEN_MINUTES);
			});
	}

	@Test
	void aCallThatAdviceOutsideTheLockRepeatsIsNoOtherTick(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(Retrying.class).run((context) -> {
			context.getBean(JobNode.Clock.class).set(NOON);
			context.getBean(LockedJobs.class).tick(HOURLY, context.getBean(Report.class)::failAtFirst);
			assertThat(runs(context)).containsExactly("failed", "succeeded");
			JobRecord record = JobNode.record(context, "retried");
			assertThat(record.tick()).hasValue(NOON);
			assertThat(record.attempt()).isOne();
			assertThat(record.lastSuccessAt()).isPresent();
		});
	}

	@Test
	void aPublisherWithoutASubscriberIsAWarning(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb).run((context) -> {
			Report report = context.getBean(Report.class);
			Runnable call = report::later;
			context.getBean(LockedJobs.class).tick(HOURLY, call);
			context.getBean(LockedJobs.class).tick(HOURLY, call);
			assertThat(log.toString()).containsOnlyOnce("reached no method in its thread");
			assertThat(runs(context)).isEmpty();
		});
	}

	@Test
	void withoutLocksTheCallIsMade(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.enabled=false").run((context) -> {
			context.getBean(LockedJobs.class).tick(HOURLY, context.getBean(Report.class)::run);
			assertThat(runs(context)).containsExactly("without a tick");
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
			assertThat(log.toString()).containsOnlyOnce("reached no method in its thread");
			jobs.tick(HOURLY, context.getBean(Report.class)::scheduled);
			assertThat(runs(context)).containsExactly("scheduled without a tick");
		});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return JobNode.of(dynamoDb, Report.class).withUserConfiguration(Scheduling.class);
	}

	private static void tick(ApplicationContext node, JobSchedule schedule, Instant time) {
		tick(node, schedule, time, node.getBean(Report.class)::run);
	}

	private static void tick(ApplicationContext node, JobSchedule schedule, Instant time, Runnable call) {
		node.getBean(JobNode.Clock.class).set(time);
		node.getBean(LockedJobs.class).tick(schedule, call);
	}

	private static List<String> runs(ApplicationContext node) {
		return node.getBean(Report.class).runs();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	@Configuration(proxyBeanMethods = false)
	static class Retrying {

		/** Outside the lock. */
		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor retrying() {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.addMethodName("failAtFirst");
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (call) -> {
				try {
					return ((ProxyMethodInvocation) call).invocableClone().proceed();
				}
				catch (IllegalStateException ex) {
					return call.proceed();
				}
			});
			advisor.setOrder(0);
			return advisor;
		}

	}

	static class Once {

		@ScheduledLock("once")
		public void run() {
		}

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

		@ScheduledLock("retried")
		public void failAtFirst() {
			boolean first = this.runs.isEmpty();
			this.runs.add(first ? "failed" : "succeeded");
			if (first) {
				throw new IllegalStateException("no paper");
			}
		}

		@ScheduledLock("scheduled")
		public void sameName() {
			ran("same name ");
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.boot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs that no tick has called are Spring's, too: its scheduler, its error handler, its
 * observations, and advice outside the lock.
 */
@ExtendWith(DynamoDbExtension.class)
class RunsBySpringTests {

	private static final Instant TICK = Instant.parse("2020-01-01T02:00:00Z");

	private static final String AFTER_MISSED_TICKS = "clock=2023-05-01T12:00:00Z";

	@Test
	void aRunThatFailsReachesTheErrorHandlerOfItsScheduler(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Yearly.class);
		runFirst(node);
		node.withUserConfiguration(Scheduling.class, Handling.class)
			.withPropertyValues(AFTER_MISSED_TICKS, "fails=true")
			.run((later) -> {
				await().untilAsserted(() -> assertThat(later.getBean(Handling.class).errors).singleElement()
					.isInstanceOf(AssertionError.class));
				await().untilAsserted(
						() -> assertThat(JobNode.record(later, "yearly").outcome()).hasValue(JobOutcome.FAILED));
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { Yearly.class, YearlyReactive.class })
	void aRunIsObservedAsAScheduledTask(Class<?> jobs, EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, jobs);
		runFirst(node);
		node.withUserConfiguration(Scheduling.class, Observed.class)
			.withPropertyValues(AFTER_MISSED_TICKS)
			.run((later) -> await().untilAsserted(() -> {
				assertThat(JobNode.record(later, "yearly").outcome()).hasValue(JobOutcome.SUCCEEDED);
				assertThat(later.getBean(Observed.class).all).singleElement()
					.satisfies((task) -> assertThat(task.isComplete()).isTrue())
					.satisfies((task) -> assertThat(task.getMethod().getName()).isEqualTo("run"))
					.satisfies((task) -> assertThat(task.getError()).isNull());
			}));
	}

	@Test
	void aSchedulerThatAConfigurerSetsStartsEachRun(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Yearly.class);
		runFirst(node);
		node.withUserConfiguration(Scheduling.class, Configured.class)
			.withPropertyValues(AFTER_MISSED_TICKS)
			.run((later) -> await()
				.untilAsserted(() -> assertThat(later.getBean(Yearly.class).thread()).startsWith("configured-")));
	}

	@Test
	void runsWaitForTheSchedulerOfEachConfigurer(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, Yearly.class).withUserConfiguration(Scheduling.class, Configured.class)
			.run((context) -> assertThat(context.getBeanProvider(SchedulingConfigurer.class).orderedStream()).last()
				.isSameAs(context.getBean("dynamoDbLockSchedulingConfigurer")));
	}

	@Test
	void adviceOutsideTheLockIsCalledOnlyForRunsThatStart(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		ApplicationContextRunner node = JobNode.of(dynamoDb, Yearly.class, calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=2s");
		node.run((owner) -> node.withUserConfiguration(Outer.class).run((other) -> {
			owner.getBean(Yearly.class).during(() -> {
				JobNode.tick(other, "run", TICK);
				calls.clear();
				// Each look at the lock that is held.
				await().until(() -> Collections.frequency(calls.calls(), "GetItemRequest") >= 2);
			});
			JobNode.tick(owner, "run", TICK);
			assertThat(other.getBean(Outer.class).calls).as("the tick's own call").hasValue(1);
			assertThat(other.getBean(Yearly.class).thread()).isEmpty();
		}));
	}

	@Test
	void aClaimThatAdviceOutsideTheLockDoesNotUseIsGivenBack(EmbeddedDynamoDb dynamoDb) {
		ApplicationContextRunner node = node(dynamoDb, Yearly.class);
		runFirst(node);
		ApplicationContextRunner later = node.withUserConfiguration(Scheduling.class)
			.withPropertyValues(AFTER_MISSED_TICKS);
		later.withUserConfiguration(Outer.class).withPropertyValues("outer.proceeds=false").run((refusing) -> {
			await().untilAtomic(refusing.getBean(Outer.class).calls, (count) -> assertThat(count).isOne());
			JobNode.awaitFree(refusing, "yearly");
			assertThat(JobNode.record(refusing, "yearly").attempt()).as("attempts that started").isZero();
			assertThat(refusing.getBean(Outer.class).calls).as("until the next tick").hasValue(1);
		});
		later.run((next) -> await().untilAsserted(() -> assertThat(next.getBean(JobNode.Events.class).all())
			.contains("succeeded 2023-01-01T02:00:00Z #1")));
	}

	@Test
	void schedulingMayBeEnabledByALaterAutoConfiguration(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withConfiguration(AutoConfigurations.of(LateScheduling.class))
			.withBean(Hourly.class)
			.run((context) -> await().untilAtomic(context.getBean(Hourly.class).runs(),
					(count) -> assertThat(count).isOne()));
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, Class<?> jobs) {
		return JobNode.of(dynamoDb, jobs).withPropertyValues("dynamodb-lock.lease-duration=6s");
	}

	private static void runFirst(ApplicationContextRunner node) {
		node.run((first) -> JobNode.recordRun(first, "yearly", TICK));
	}

	static class Yearly {

		private final boolean fails;

		private volatile Runnable body = () -> {
		};

		private volatile String thread = "";

		Yearly(Environment environment) {
			this.fails = environment.containsProperty("fails");
		}

		void during(Runnable body) {
			this.body = body;
		}

		String thread() {
			return this.thread;
		}

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock(name = "yearly", onMissed = OnMissed.RUN_ONCE)
		public void run() {
			this.thread = Thread.currentThread().getName();
			this.body.run();
			if (this.fails) {
				throw new AssertionError("no paper");
			}
		}

	}

	static class YearlyReactive {

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock(name = "yearly", onMissed = OnMissed.RUN_ONCE)
		public Mono<String> run() {
			return Mono.just("report");
		}

	}

	static class Hourly {

		private final AtomicInteger runs = new AtomicInteger();

		AtomicInteger runs() {
			return this.runs;
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("hourly")
		public void run() {
			this.runs.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	@AutoConfiguration(after = DistributedLockAutoConfiguration.class)
	@EnableScheduling
	static class LateScheduling {

	}

	/** A scheduler whose error handler keeps the errors. */
	@Configuration(proxyBeanMethods = false)
	static class Handling {

		private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setErrorHandler(this.errors::add);
			return scheduler;
		}

	}

	/** Keeps the observations of scheduled tasks. */
	@Configuration(proxyBeanMethods = false)
	static class Observed implements ObservationHandler<ScheduledTaskObservationContext> {

		private final List<ScheduledTaskObservationContext> all = new CopyOnWriteArrayList<>();

		@Bean
		SchedulingConfigurer observing() {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(this);
			return (registrar) -> registrar.setObservationRegistry(registry);
		}

		@Override
		public void onStop(ScheduledTaskObservationContext context) {
			this.all.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof ScheduledTaskObservationContext;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Configured {

		@Bean
		SchedulingConfigurer configurer() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setThreadNamePrefix("configured-");
			scheduler.setDaemon(true);
			scheduler.initialize();
			return (registrar) -> registrar.setTaskScheduler(scheduler);
		}

	}

	/** Advice outside the lock. */
	@Configuration(proxyBeanMethods = false)
	static class Outer {

		private final AtomicInteger calls = new AtomicInteger();

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor outerAdvisor(ObjectProvider<Outer> outer, Environment environment) {
			boolean proceeds = environment.getProperty("outer.proceeds", Boolean.class, true);
			NameMatchMethodPointcut run = new NameMatchMethodPointcut();
			run.addMethodName("run");
			run.setClassFilter((type) -> type == Yearly.class);
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(run, (MethodInterceptor) (invocation) -> {
				outer.getObject().calls.incrementAndGet();
				return proceeds ? invocation.proceed() : null;
			});
			advisor.setOrder(0);
			return advisor;
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Applications whose scheduled methods run when the context closes: with locks, each of
 * them ends as it does without.
 */
@Order(1)
class AwaitedJobsTests {

	private static final String AWAITED = "ended before its context was closed";

	private static final String LEFT = "ended after its context was closed";

	private static final String INTERRUPTED = "interrupted";

	@ParameterizedTest
	@MethodSource("applications")
	void aJobEndsAsInAnApplicationWithoutLocks(Class<?> scheduler, String end, List<Class<?>> jobs) {
		Map<String, String> unlocked = endsOf(scheduler, jobs, false);
		assertThat(unlocked).hasSameSizeAs(jobs);
		assertThat(unlocked.values()).as("what Spring does").containsOnly(end);
		Map<String, String> locked = endsOf(scheduler, jobs, true);
		if (end.equals(LEFT)) {
			// Spring does not await it; its lock has to be released before clients close.
			unlocked.replaceAll((name, without) -> name.startsWith("Locked") ? AWAITED : locked.get(name));
			assertThat(locked.values()).doesNotContain(INTERRUPTED);
		}
		assertThat(locked).isEqualTo(unlocked);
	}

	static Stream<Arguments> applications() {
		List<Class<?>> all = List.of(Cron.class, LockedCron.class, Delay.class, LockedDelay.class);
		Stream<Arguments> schedulers = Stream.of(Arguments.of(Pool.class, AWAITED, all),
				Arguments.of(Named.class, AWAITED, List.of(NamedCron.class, LockedNamedDelay.class)),
				Arguments.of(PhaseZero.class, AWAITED, all), Arguments.of(LowestPhase.class, AWAITED, all),
				Arguments.of(Concurrent.class, LEFT, all), Arguments.of(Raw.class, LEFT, all),
				Arguments.of(Configurer.class, LEFT, all),
				Arguments.of(ThreadPerTask.class, LEFT, List.of(Cron.class, LockedCron.class)),
				Arguments.of(ThreadPerTask.class, AWAITED, List.of(LockedDelay.class)));
		return Stream.concat(schedulers,
				// It has one thread.
				all.stream().map((job) -> Arguments.of(Local.class, INTERRUPTED, List.of(job))));
	}

	private static Map<String, String> endsOf(Class<?> scheduler, List<Class<?>> jobs, boolean locks) {
		Ends ends = new Ends();
		ApplicationContextRunner runner = LockNode.bare()
			.withPropertyValues("dynamodb-lock.enabled=" + locks, "dynamodb-lock.table.name=locks")
			.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
			.withUserConfiguration(Scheduling.class, scheduler)
			.withBean("ends", Ends.class, () -> ends);
		for (Class<?> job : jobs) {
			runner = runner.withBean(ClassUtils.getShortNameAsProperty(job), job);
		}
		runner.run((context) -> await().until(() -> ends.begun.size() == jobs.size()));
		ends.closed.countDown();
		await().until(() -> ends.all.size() == jobs.size());
		return new TreeMap<>(ends.all);
	}

	@Test
	void aJobEndsBeforeAProcessThatIsTerminated() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				Application.class.getName())
			.redirectErrorStream(true)
			.start();
		try (Stream<String> lines = process.inputReader(StandardCharsets.UTF_8).lines()) {
			List<String> marks = lines.peek((line) -> {
				if (line.equals("LockedDelay has begun")) {
					// Process.destroy() would close the output before it is read.
					process.toHandle().destroy();
				}
			}).filter((line) -> line.startsWith("LockedDelay")).toList();
			assertThat(marks).containsExactly("LockedDelay has begun", "LockedDelay has ended");
			assertThat(process.waitFor()).as("terminated").isEqualTo(128 + 15);
		}
		finally {
			process.toHandle().destroyForcibly();
		}
	}

	/** Runs until it is terminated. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableScheduling
	static class Application {

		@Bean
		DynamoDbClient dynamoDbClient() {
			return InMemoryDynamoDb.withLockTable("dynamodb-lock");
		}

		@Bean
		Ends ends() {
			return new Ends();
		}

		@Bean
		LockedDelay job(Ends ends) {
			return new LockedDelay(ends) {

				@Override
				void print(String text) {
					System.out.println(text);
				}

			};
		}

		public static void main(String[] arguments) {
			new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.properties("logging.level.root=warn", "spring.main.banner-mode=off",
						"dynamodb-lock.table.name=dynamodb-lock", "dynamodb-lock.embedded.enabled=true",
						"spring.docker.compose.enabled=false")
				.run();
		}

	}

	/** What becomes of the jobs. */
	static class Ends implements ApplicationListener<ContextClosedEvent> {

		final Set<String> begun = ConcurrentHashMap.newKeySet();

		final Map<String, String> all = new ConcurrentHashMap<>();

		/** The context begins to close. */
		final CountDownLatch closing = new CountDownLatch(1);

		/** The context is closed. */
		final CountDownLatch closed = new CountDownLatch(1);

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
			this.closing.countDown();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

		@Bean
		DynamoDbClient dynamoDbClient() {
			return InMemoryDynamoDb.withLockTable("locks");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Pool extends TaskSchedulers {

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			return pool();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Named extends TaskSchedulers {

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			return pool();
		}

		@Bean
		ThreadPoolTaskScheduler named() {
			return pool();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PhaseZero extends TaskSchedulers {

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = pool();
			scheduler.setPhase(0);
			return scheduler;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LowestPhase extends TaskSchedulers {

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = pool();
			scheduler.setPhase(Integer.MIN_VALUE);
			return scheduler;
		}

	}

	/** No scheduler bean: Spring has one for itself. */
	@Configuration(proxyBeanMethods = false)
	static class Local {

	}

	@Configuration(proxyBeanMethods = false)
	static class Concurrent extends TaskSchedulers {

		@Bean
		ConcurrentTaskScheduler taskScheduler() {
			return new ConcurrentTaskScheduler(executor());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Raw extends TaskSchedulers {

		@Bean
		ScheduledExecutorService executorOfTheApplication() {
			return executor();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Configurer extends TaskSchedulers {

		@Bean
		SchedulingConfigurer configurer() {
			return (registrar) -> registrar.setScheduler(executor());
		}

	}

	/** As with virtual threads, which Java 17 has not. */
	@Configuration(proxyBeanMethods = false)
	static class ThreadPerTask {

		@Bean
		SimpleAsyncTaskScheduler taskScheduler() {
			SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();
			scheduler.setDaemon(true);
			return scheduler;
		}

	}

	abstract static class TaskSchedulers {

		static ThreadPoolTaskScheduler pool() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setPoolSize(8);
			return scheduler;
		}

		static ScheduledExecutorService executor() {
			CustomizableThreadFactory threads = new CustomizableThreadFactory();
			threads.setDaemon(true);
			return Executors.newScheduledThreadPool(8, threads);
		}

	}

	abstract static class Job {

		private final Ends ends;

		private final String name;

		Job(Ends ends) {
			this.ends = ends;
			Class<?> type = ClassUtils.getUserClass(getClass());
			this.name = (type.isAnonymousClass() ? type.getSuperclass() : type).getSimpleName();
		}

		/** Goes on for half a second after the context began to close. */
		void work() {
			if (!this.ends.begun.add(this.name)) {
				return;
			}
			print(this.name + " has begun");
			try {
				this.ends.closing.await();
				boolean left = this.ends.closed.await(500, TimeUnit.MILLISECONDS);
				if (name().startsWith("Locked") && LockContext.current().isPresent()) {
					LockContext.current().get().ensureHeld();
				}
				this.ends.all.put(this.name, left ? LEFT : AWAITED);
				print(this.name + " has ended");
			}
			catch (InterruptedException ex) {
				this.ends.all.put(this.name, INTERRUPTED);
				print(this.name + " was interrupted");
			}
		}

		String name() {
			return this.name;
		}

		void print(String text) {
		}

	}

	static class Cron extends Job {

		Cron(Ends ends) {
			super(ends);
		}

		@Scheduled(cron = "* * * * * *")
		void run() {
			work();
		}

	}

	static class LockedCron extends Job {

		LockedCron(Ends ends) {
			super(ends);
		}

		@Scheduled(cron = "* * * * * *")
		@ScheduledLock("cron")
		void run() {
			work();
		}

	}

	static class Delay extends Job {

		Delay(Ends ends) {
			super(ends);
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		void run() {
			work();
		}

	}

	static class LockedDelay extends Job {

		LockedDelay(Ends ends) {
			super(ends);
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("delay")
		void run() {
			work();
		}

	}

	static class NamedCron extends Job {

		NamedCron(Ends ends) {
			super(ends);
		}

		@Scheduled(cron = "* * * * * *", scheduler = "named")
		void run() {
			work();
		}

	}

	static class LockedNamedDelay extends Job {

		LockedNamedDelay(Ends ends) {
			super(ends);
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS, scheduler = "named")
		@ScheduledLock("named-delay")
		void run() {
			work();
		}

	}

}

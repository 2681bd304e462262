/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs under way when a context is closed, stopped or paused. All nodes of a test share a
 * table.
 */
class JobShutdownTests {

	private static final ClassLoader WITHOUT_CHECKPOINTS = new FilteredClassLoader("org.crac");

	private final DynamoDbClient dynamoDb = InMemoryDynamoDb.withLockTable("locks");

	private final LockClient observer = LockClient.builder(this.dynamoDb).tableName("locks").build();

	@AfterEach
	void close() {
		this.observer.close();
	}

	@Test
	void aBodyThatFailsByItselfAfterItsContextBeganToCloseHasFailed() {
		node(Failing.class).run((context) -> context.getBean(Failing.class).begun().await());
		assertThat(record().outcome()).hasValue(JobOutcome.FAILED);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aBodyThatFailsByItselfInAStoppedOrPausedContextHasFailed(boolean pause) {
		node(Failing.class).withClassLoader(WITHOUT_CHECKPOINTS).run((context) -> {
			ConfigurableApplicationContext stopping = context
				.getSourceApplicationContext(ConfigurableApplicationContext.class);
			Failing job = context.getBean(Failing.class);
			job.begun().await();
			// Returns when the body has ended.
			Thread stop = new Thread(pause ? stopping::pause : stopping::stop);
			stop.start();
			await().until(() -> !context.getBean(ScheduledJobs.class).isRunning());
			job.end();
			stop.join();
			assertThat(record().outcome()).hasValue(JobOutcome.FAILED);
		});
	}

	@Test
	void aBodyThatIsInterruptedHasTimeToEndAndIsReturned() {
		node(Endless.class).withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=100ms")
			.run((context) -> context.getBean(Endless.class).begun().await());
		assertThat(record().tick()).isPresent();
		assertThat(record().startedAt()).as("returned").isEmpty();
		assertThat(record().isFinished()).isFalse();
	}

	@Test
	void aThreadThatIsInterruptedAwaitsRunsWithPauses() {
		AtomicInteger looks = new AtomicInteger();
		node(Endless.class).withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=100ms")
			.withBean(Interrupting.class)
			.withBean("counting", BeanPostProcessor.class, () -> counting(looks))
			.run((context) -> context.getBean(Endless.class).begun().await());
		assertThat(Thread.interrupted()).isTrue();
		assertThat(record().startedAt()).as("returned").isEmpty();
		// Without pauses, it would be many thousands.
		assertThat(looks).hasValueBetween(2, 500);
	}

	/** Counts how often lock clients are asked whether they hold a lock. */
	private static BeanPostProcessor counting(AtomicInteger looks) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String beanName) {
				if (!(bean instanceof LockClient)) {
					return bean;
				}
				ProxyFactory client = new ProxyFactory(bean);
				client.addAdvice((MethodBeforeAdvice) (method, arguments, target) -> {
					if (method.getName().equals("holds")) {
						looks.incrementAndGet();
					}
				});
				return client.getProxy();
			}

		};
	}

	@Test
	void aSubscriptionThatIsCancelledWithItsBeanWasInterrupted() {
		List<JobEvent> events = new CopyOnWriteArrayList<>();
		node(Reactive.class).withBean("listener", JobListener.class, () -> events::add)
			.run((context) -> await().until(() -> !events.isEmpty()));
		assertThat(events).last()
			.isInstanceOfSatisfying(JobFinishedEvent.class,
					(event) -> assertThat(event.outcome()).isEqualTo(JobOutcome.INTERRUPTED));
	}

	@Test
	void aContextThatIsStoppedWithoutACheckpointKeepsTheLocksOfBodiesAndStartsNone() {
		node(LockKeeper.class).withClassLoader(WITHOUT_CHECKPOINTS).run((context) -> {
			ConfigurableApplicationContext stopping = context
				.getSourceApplicationContext(ConfigurableApplicationContext.class);
			LockKeeper keeper = context.getBean(LockKeeper.class);
			keeper.begun().await();
			HeldLock other = context.getBean(LockClient.class).acquire("other");
			stopping.stop();
			assertThat(List.of(keeper.isHeld(), other.isHeld())).containsOnly(true);
			keeper.end();
			await().until(() -> record().isFinished());
			assertThat(record().outcome()).hasValue(JobOutcome.SUCCEEDED);
			assertThat(keeper.calls()).as("while it is stopped").hasValue(1);
			stopping.start();
			await().untilAsserted(() -> assertThat(keeper.calls()).hasValueGreaterThan(1));
			assertThat(other.isHeld()).isTrue();
		});
	}

	@Test
	void aSchedulerOfTheDynamoDbClientOutlivesIt() {
		List<String> destroyed = new CopyOnWriteArrayList<>();
		node(Failing.class).withUserConfiguration(ClientWithScheduler.class)
			.withBean("destroyed", List.class, () -> destroyed)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(destroyed).containsExactly("DynamoDbClient", "scheduler");
	}

	private ApplicationContextRunner node(Class<?> job) {
		return LockNode.bare()
			.withPropertyValues("dynamodb-lock.table.name=locks")
			.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
			.withUserConfiguration(Scheduling.class)
			.withBean("dynamoDbClient", DynamoDbClient.class, () -> this.dynamoDb)
			.withBean("job", job);
	}

	private JobRecord record() {
		return this.observer.find("job").map(JobRecord::of).orElse(JobRecord.NONE);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			return new ThreadPoolTaskScheduler();
		}

	}

	/** The SDK client is made with the scheduler. */
	@Configuration(proxyBeanMethods = false)
	static class ClientWithScheduler {

		@Bean
		ThreadPoolTaskScheduler schedulerOfTheClient(List<String> destroyed) {
			return new ThreadPoolTaskScheduler() {

				@Override
				public void destroy() {
					super.destroy();
					destroyed.add("scheduler");
				}

			};
		}

		@Bean
		@Primary
		DynamoDbClient clientWithScheduler(@Qualifier("dynamoDbClient") DynamoDbClient client,
				@Qualifier("schedulerOfTheClient") ThreadPoolTaskScheduler scheduler, List<String> destroyed) {
			return (DynamoDbClient) Proxy.newProxyInstance(DynamoDbClient.class.getClassLoader(),
					new Class<?>[] { DynamoDbClient.class }, (proxy, method, arguments) -> {
						if (method.getName().equals("close")) {
							destroyed.add("DynamoDbClient");
						}
						return method.invoke(client, arguments);
					});
		}

	}

	/** Fails when its context closes, or earlier. */
	public static class Failing implements ApplicationListener<ContextClosedEvent> {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		public CountDownLatch begun() {
			return this.begun;
		}

		public void end() {
			this.end.countDown();
		}

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
			this.end.countDown();
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("job")
		public void run() throws InterruptedException {
			this.begun.countDown();
			this.end.await();
			throw new IllegalStateException("no paper");
		}

	}

	/** Interrupts the thread that closes the context. */
	static class Interrupting implements ApplicationListener<ContextClosedEvent> {

		@Override
		public void onApplicationEvent(ContextClosedEvent event) {
			Thread.currentThread().interrupt();
		}

	}

	public static class Endless {

		private final CountDownLatch begun = new CountDownLatch(1);

		public CountDownLatch begun() {
			return this.begun;
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("job")
		public void run() throws InterruptedException {
			this.begun.countDown();
			try {
				new CountDownLatch(1).await();
			}
			finally {
				// Cleans up for a while, although it may be interrupted again.
				long begin = System.nanoTime();
				while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(500)) {
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
					Thread.interrupted();
				}
			}
		}

	}

	static class Reactive {

		@Scheduled(fixedRate = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("job")
		public Mono<Void> run() {
			return Mono.never();
		}

	}

	public static class LockKeeper {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch end = new CountDownLatch(1);

		private final AtomicInteger calls = new AtomicInteger();

		private volatile @Nullable HeldLock lock;

		public CountDownLatch begun() {
			return this.begun;
		}

		public void end() {
			this.end.countDown();
		}

		public AtomicInteger calls() {
			return this.calls;
		}

		/** The scheduler does not wait for it. */
		@Scheduled(fixedRate = 10)
		@ScheduledLock("job")
		public Mono<Void> run() {
			this.calls.incrementAndGet();
			this.lock = LockContext.current().orElseThrow();
			this.begun.countDown();
			return Mono.<Void>fromCallable(() -> {
				this.end.await();
				return null;
			}).subscribeOn(Schedulers.boundedElastic());
		}

		public boolean isHeld() {
			return Objects.requireNonNull(this.lock).isHeld();
		}

	}

}

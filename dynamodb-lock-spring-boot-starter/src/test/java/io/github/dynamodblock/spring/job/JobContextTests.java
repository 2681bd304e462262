/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.spring.ReactiveLockContext;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What the body of a job knows of its run.
 */
@ExtendWith(DynamoDbExtension.class)
class JobContextTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	@Test
	void theBodyOfAJobKnowsItsTickAndItsAttempt(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Curious.class).run((node) -> {
			Curious jobs = node.getBean(Curious.class);
			JobContext first = new JobContext(NOON, 1, false);
			JobNode.tick(node, "blocking", NOON);
			JobNode.tick(node, "future", NOON);
			assertThat(jobs.seen()).containsExactly(first, first);
			jobs.blocking();
			assertThat(jobs.seen()).as("after a plain call").hasSize(2);
			assertThat(JobContext.current()).isEmpty();
		});
	}

	@Test
	void codeWithOtherLocksInsideABodyKnowsTheTickAndAPlainCallOfAJobNone(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Calling.class).withBean("inner", Curious.class).run((node) -> {
			Curious inner = node.getBean(Curious.class);
			node.getBean(JobNode.Clock.class).set(NOON);
			new ScheduledMethodRunnable(inner, method(inner)).run();
			assertThat(inner.seen()).as("its own tick").containsExactly(new JobContext(NOON, 1, false));
			node.getBean(Calling.class).calls(() -> {
				node.getBean(LockTemplate.class).execute("other", (lock) -> {
					inner.look();
					return null;
				});
				inner.blocking();
			});
			JobNode.tick(node, "run", NOON.plusSeconds(60));
			assertThat(inner.seen()).as("in the template, and not in the plain call")
				.containsExactly(new JobContext(NOON, 1, false), new JobContext(NOON.plusSeconds(60), 1, false));
		});
	}

	private static Method method(Object bean) {
		return Objects.requireNonNull(ReflectionUtils.findMethod(bean.getClass(), "blocking"));
	}

	@Test
	void theBodyOfAReactiveJobKnowsItsTick(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, CuriousReactive.class)
			.withUserConfiguration(RerunTests.Scheduling.class)
			.withPropertyValues("clock=2026-05-01T12:00:00Z")
			.run((node) -> {
				CuriousReactive job = node.getBean(CuriousReactive.class);
				await().untilAsserted(() -> assertThat(job.seen()).hasSize(2));
				assertThat(job.seen()).allSatisfy((context) -> {
					assertThat(context.attempt()).isEqualTo(1);
					assertThat(context.rerun()).isFalse();
					assertThat(context.scheduledTime()).isEqualTo(JobNode.record(node, "curious").tick().orElseThrow());
				});
			});
	}

	@Test
	void aReactiveJobThatAnotherScheduledSubscriptionCallsHasAPlainLock(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, ReactiveOuter.class)
			.withBean("inner", ReactiveInner.class)
			.withUserConfiguration(RerunTests.Scheduling.class)
			.run((node) -> {
				await().untilAsserted(() -> assertThat(node.getBean(ReactiveInner.class).count()).isGreaterThan(3));
				assertThat(node.getBean(JobNode.Events.class).all()).isEmpty();
				assertThat(JobNode.job(node, "inner").record().flatMap(JobRecord::tick)).isEmpty();
			});
	}

	static class Curious {

		private final List<JobContext> seen = new CopyOnWriteArrayList<>();

		List<JobContext> seen() {
			return this.seen;
		}

		void look() {
			JobContext.current().ifPresent(this.seen::add);
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("blocking")
		public void blocking() {
			JobContext.current().ifPresent(this.seen::add);
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("future")
		public CompletableFuture<Void> future() {
			JobContext.current().ifPresent(this.seen::add);
			return CompletableFuture.completedFuture(null);
		}

	}

	static class Calling {

		private volatile Runnable body = () -> {
		};

		void calls(Runnable body) {
			this.body = body;
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("calling")
		public void run() {
			this.body.run();
		}

	}

	static class CuriousReactive {

		private final List<JobContext> seen = new CopyOnWriteArrayList<>();

		List<JobContext> seen() {
			return this.seen;
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		@ScheduledLock("curious")
		public Mono<Void> run() {
			JobContext.current().ifPresent(this.seen::add);
			return ReactiveLockContext.current()
				.publishOn(Schedulers.parallel())
				.doOnNext((lock) -> JobContext.of(lock).ifPresent(this.seen::add))
				.then();
		}

	}

	static class ReactiveOuter {

		private final ReactiveInner inner;

		ReactiveOuter(ReactiveInner inner) {
			this.inner = inner;
		}

		@Scheduled(fixedDelay = 100)
		public Mono<Void> run() {
			return Mono.defer(this.inner::run);
		}

	}

	static class ReactiveInner {

		private final AtomicInteger runs = new AtomicInteger();

		int count() {
			return this.runs.get();
		}

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock("inner")
		public Mono<Void> run() {
			this.runs.incrementAndGet();
			return Mono.empty();
		}

	}

}

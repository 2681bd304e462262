/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.github.dynamodblock.ConditionNotMetException;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * Nodes with jobs, whose clock and whose scheduler a test is.
 */
final class JobNode {

	private JobNode() {
	}

	/** A node of a new table. */
	static ApplicationContextRunner of(EmbeddedDynamoDb dynamoDb, Class<?> jobs) {
		return of(dynamoDb, jobs, (client) -> {
		});
	}

	/** A node of a new table, with a client to watch. */
	static ApplicationContextRunner of(EmbeddedDynamoDb dynamoDb, Class<?> jobs,
			Consumer<DynamoDbClientBuilder> client) {
		return LockNode.of(dynamoDb, client)
			.withBean(IdleScheduling.class)
			.withBean("clock", Clock.class)
			.withBean("events", Events.class)
			.withBean("jobs", jobs);
	}

	/** Calls a method at a time of the node's clock, as Spring's scheduler does. */
	static void tick(ApplicationContext node, String method, Instant time) {
		node.getBean(Clock.class).set(time);
		Object bean = node.getBean("jobs");
		Method found = Objects.requireNonNull(ReflectionUtils.findMethod(AopUtils.getTargetClass(bean), method));
		new ScheduledMethodRunnable(bean, AopUtils.selectInvocableMethod(found, bean.getClass())).run();
	}

	/** Records that a tick has run, so that later ones are missed. */
	static void recordRun(ApplicationContext node, String id, Instant tick) throws InterruptedException {
		JobRun run = new JobRun(job(node, id), tick, 1);
		claim(run).release(ReleaseRequest.create().change(JobWrites.ended(run, tick, JobOutcome.SUCCEEDED, null)));
	}

	/** Records that a tick has begun, and ends the node's lock client as a crash does. */
	static void recordCrash(ApplicationContext node, String id, Instant tick) throws InterruptedException {
		claim(new JobRun(job(node, id), tick, 1));
		job(node, id).client().closeWithoutReleasing();
	}

	private static HeldLock claim(JobRun run) throws InterruptedException {
		return run.job()
			.client()
			.acquire(LockRequest.of(run.job().key())
				.keptItem(KeptItem.create())
				.change(JobWrites.started(run, true, run.tick(), "node", null)));
	}

	static JobRecord record(ApplicationContext node, String name) {
		return job(node, name).record().orElseThrow();
	}

	static LockedJob job(ApplicationContext node, String name) {
		return node.getBean(LockedJobs.class).find(name).orElseThrow();
	}

	/** Calls a job outside its schedule, as an operator does. */
	static void runNow(ApplicationContext node, String name) {
		node.getBean(LockedJobs.class).runNow(job(node, name));
	}

	/**
	 * Calls of the job have ended, and the node knows that, too. A handle that is being
	 * released still refuses others; a condition refuses only where the lock is free.
	 */
	static void awaitFree(ApplicationContext node, String name) {
		LockedJob job = job(node, name);
		LockRequest refused = LockRequest.of(job.key())
			.waitTime(Duration.ZERO)
			.condition(ItemCondition.exists("an-attribute-of-no-job"));
		await().until(() -> catchThrowable(() -> job.client().acquire(refused)),
				(thrown) -> thrown instanceof ConditionNotMetException);
	}

	/** A clock that is set by hand or by a property, and goes on from there. */
	static class Clock extends JobClock {

		private volatile Duration difference = Duration.ZERO;

		private volatile boolean wrong;

		Clock(Environment environment) {
			super(InstantSource.system(), Duration.ofSeconds(30));
			String time = environment.getProperty("clock");
			if (time != null) {
				set(Instant.parse(time));
			}
		}

		void set(Instant time) {
			this.difference = Duration.between(Instant.now(), time);
		}

		/** From now on, the clock does not agree with DynamoDB's. */
		void isWrong() {
			this.wrong = true;
		}

		@Override
		public Optional<Reading> checked(LockedJob job) {
			return this.wrong ? Optional.empty() : Optional.of(read(job));
		}

		@Override
		public Instant now() {
			return Instant.now().plus(this.difference);
		}

	}

	/** Scheduling that is on, and schedules nothing. */
	static class IdleScheduling extends ScheduledAnnotationBeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return bean;
		}

	}

	/** Collects what happens on a node. */
	static class Events implements JobListener {

		private final List<String> all = new CopyOnWriteArrayList<>();

		private final AtomicInteger records = new AtomicInteger();

		@Override
		public void onEvent(JobEvent event) {
			if (event instanceof JobStartedEvent started) {
				this.all.add("started " + name(started.tick(), started.attempt()));
			}
			else if (event instanceof JobFinishedEvent finished) {
				this.all.add(finished.outcome().name().toLowerCase(Locale.ROOT) + " "
						+ name(finished.tick(), finished.attempt()));
			}
			else if (event instanceof JobCrashedEvent crashed) {
				this.all.add("crashed " + crashed.tick() + (crashed.rerun() ? ", rerun" : ""));
			}
			else if (event instanceof JobMissedEvent missed) {
				this.all.add("missed " + missed.ticks() + (missed.runOnce() ? ", run once" : ""));
			}
		}

		@Override
		public void onRecord(LockedJob job, JobRecord record) {
			this.records.incrementAndGet();
		}

		private static String name(Instant tick, int attempt) {
			return tick + " #" + attempt;
		}

		List<String> all() {
			return this.all;
		}

		/** Returns how many records the node has read. */
		int records() {
			return this.records.get();
		}

	}

}

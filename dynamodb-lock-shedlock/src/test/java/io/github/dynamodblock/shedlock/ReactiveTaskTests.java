/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.shedlock;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What ShedLock's annotation does on a {@code @Scheduled} method that returns a
 * {@code Mono}, as the migration guide says: Spring calls the method once, at startup,
 * and subscribes to its result at each tick.
 */
@Timeout(120)
class ReactiveTaskTests {

	private final TestTable table = new TestTable();

	private final LockClient client = this.table.newClient();

	private final Task task = new Task(this.client);

	@AfterEach
	void close() throws Exception {
		this.table.close();
	}

	@Test
	void theLockIsHeldWhileTheMonoIsCreatedAndNotWhileItRuns() {
		try (AnnotationConfigApplicationContext application = application()) {
			application.refresh();
			await().until(() -> this.task.running.size() >= 3);
		}
		assertThat(this.task.creating).as("held during the call, once").containsExactly(true);
		assertThat(this.task.running).as("held during a subscription").containsOnly(false);
	}

	@Test
	void aNodeThatStartsWhileTheLockIsHeldNeverRunsTheTask() throws Exception {
		try (AnnotationConfigApplicationContext application = application()) {
			try (HeldLock held = this.table.newClient().acquire("shedlock:reactive")) {
				application.refresh();
				assertThat(held.isHeld()).isTrue();
			}
			int ticks = this.task.plainTicks.get();
			await().until(() -> this.task.plainTicks.get() >= ticks + 10);
		}
		assertThat(this.task.creating).isEmpty();
		assertThat(this.task.running).isEmpty();
	}

	private AnnotationConfigApplicationContext application() {
		AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
		application.register(Scheduling.class);
		application.registerBean(LockProvider.class, () -> new DynamoDbLockProvider(this.client));
		application.registerBean(Task.class, () -> this.task);
		return application;
	}

	@Configuration
	@EnableScheduling
	@EnableSchedulerLock(defaultLockAtMostFor = "10m")
	static class Scheduling {

	}

	static class Task {

		private final LockClient client;

		private final List<Boolean> creating = new CopyOnWriteArrayList<>();

		private final List<Boolean> running = new CopyOnWriteArrayList<>();

		private final AtomicInteger plainTicks = new AtomicInteger();

		Task(LockClient client) {
			this.client = client;
		}

		@Scheduled(fixedDelay = 50)
		@SchedulerLock(name = "reactive")
		public Mono<Void> run() {
			this.creating.add(this.client.holds("shedlock:reactive"));
			return Mono.fromRunnable(() -> this.running.add(this.client.holds("shedlock:reactive")));
		}

		@Scheduled(fixedDelay = 50)
		public void tick() {
			this.plainTicks.incrementAndGet();
		}

	}

}

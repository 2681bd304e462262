/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.dashboard;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Runs three nodes of an application with locks and jobs for two minutes, and records
 * what they show to Prometheus. The node that runs the report after 40 s leaves its locks
 * as a crash does, and starts again 20 s later. The cleanup fails now and then, is late
 * because another call holds its lock for 12 s, and is paused for 20 s. An administrator
 * releases a held lock.
 */
final class DashboardRun {

	private static final int SCRAPES = 60;

	private static final int HOLD = 5;

	private static final int END_OF_HOLD = 11;

	private static final int CRASH = 20;

	private static final int RESTART = 10;

	private static final int PAUSE = 38;

	private static final int RESUME = 48;

	private static final int RELEASE = 52;

	private final Map<String, ConfigurableApplicationContext> nodes = new TreeMap<>();

	private final Recording recording = new Recording();

	private final EmbeddedDynamoDb dynamoDb;

	private String crashed = "";

	private int crashedAt = SCRAPES;

	private @Nullable HeldLock held;

	private DashboardRun(EmbeddedDynamoDb dynamoDb) {
		this.dynamoDb = dynamoDb;
	}

	static Recording record() throws InterruptedException {
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start()) {
			DashboardRun run = new DashboardRun(dynamoDb);
			for (int node = 1; node <= 3; node++) {
				run.start("node-" + node);
			}
			for (int scrape = 0; scrape <= SCRAPES; scrape++) {
				run.scrape(scrape);
				TimeUnit.SECONDS.sleep(Recording.INTERVAL_SECONDS);
			}
			run.nodes.values().forEach(ConfigurableApplicationContext::close);
			return run.recording;
		}
	}

	private void start(String name) {
		this.nodes.put(name,
				new SpringApplicationBuilder(Shop.class).web(WebApplicationType.NONE)
					.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
							() -> this.dynamoDb.newClient((client) -> {
							})))
					.run("--spring.config.name=none", "--spring.main.banner-mode=off",
							"--spring.task.scheduling.pool.size=8", "--spring.lifecycle.timeout-per-shutdown-phase=1s",
							"--dynamodb-lock.owner-name=" + name, "--dynamodb-lock.table.create=if-missing",
							"--dynamodb-lock.lease-duration=4s", "--dynamodb-lock.heartbeat-period=1s"));
	}

	private void scrape(int scrape) throws InterruptedException {
		if (scrape == HOLD) {
			this.held = bean(LockClient.class)
				.acquire(LockRequest.of("cleanup").name("cleanup").waitTime(Duration.ofSeconds(5)));
		}
		if (scrape == END_OF_HOLD && this.held != null) {
			this.held.release();
		}
		if (scrape >= CRASH && this.crashed.isEmpty()) {
			crash(scrape);
		}
		if (scrape == this.crashedAt + RESTART) {
			start(this.crashed);
		}
		if (scrape == PAUSE) {
			cleanup().pause("the picture of the dashboard");
		}
		if (scrape == RESUME) {
			cleanup().resume();
		}
		if (scrape == RELEASE) {
			LockClient locks = bean(LockClient.class);
			locks.find("stock").ifPresent((lock) -> locks.forceRelease(lock.key(), lock.ownerName()));
		}
		this.recording.next();
		this.nodes.forEach((name, node) -> this.recording.add(name + ":8080",
				node.getBean(PrometheusMeterRegistry.class).scrape()));
	}

	private void crash(int scrape) {
		this.nodes.entrySet()
			.stream()
			.filter((node) -> node.getValue().getBean(Work.class).isReporting())
			.findFirst()
			.ifPresent((node) -> {
				this.crashed = node.getKey();
				this.crashedAt = scrape;
				node.getValue().getBean(LockClient.class).closeWithoutReleasing();
				new Thread(node.getValue()::close, "crash").start();
			});
		this.nodes.remove(this.crashed);
	}

	private LockedJob cleanup() {
		return bean(LockedJobs.class).find("cleanup").orElseThrow();
	}

	private <T> T bean(Class<T> type) {
		return this.nodes.values().iterator().next().getBean(type);
	}

	/** The application. Not a component, so that the server does not find it. */
	@EnableAutoConfiguration
	@EnableScheduling
	public static class Shop {

		@Bean
		Work work(LockClient locks) {
			return new Work(locks);
		}

	}

	static class Work {

		private final LockClient locks;

		private volatile boolean reporting;

		private int cleanups;

		Work(LockClient locks) {
			this.locks = locks;
		}

		boolean isReporting() {
			return this.reporting;
		}

		@Scheduled(cron = "*/20 * * * * *")
		@ScheduledLock("report")
		public void report() throws InterruptedException {
			this.reporting = true;
			TimeUnit.SECONDS.sleep(6);
			this.reporting = false;
		}

		@Scheduled(cron = "*/10 * * * * *")
		@ScheduledLock("cleanup")
		public void cleanup() throws InterruptedException {
			TimeUnit.MILLISECONDS.sleep(upTo(500));
			if (++this.cleanups % 3 == 0) {
				throw new IllegalStateException("no space left");
			}
		}

		@Scheduled(fixedDelay = 100)
		public void order() throws InterruptedException {
			work(LockRequest.of("order-" + upTo(3)).name("orders"), upTo(600));
		}

		@Scheduled(fixedDelay = 200)
		public void otherOrder() throws InterruptedException {
			work(LockRequest.of("order-" + upTo(3)).name("orders"), upTo(600));
		}

		@Scheduled(fixedDelay = 500)
		public void stock() throws InterruptedException {
			work(LockRequest.of("stock").name("stock"), 3_000 + upTo(3_000));
		}

		private void work(LockRequest request, long milliseconds) throws InterruptedException {
			try (HeldLock held = this.locks.acquire(request.waitTime(Duration.ofSeconds(30)))) {
				TimeUnit.MILLISECONDS.sleep(milliseconds);
			}
		}

		private static long upTo(long bound) {
			return ThreadLocalRandom.current().nextLong(bound);
		}

	}

}

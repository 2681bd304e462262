/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.event.JobManagedEvent.Action;
import io.github.dynamodblock.spring.event.JobManagedEvent;
import io.github.dynamodblock.spring.job.LockedJobs;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Jobs that an operator pauses, resumes and runs over HTTP.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class LockedJobsManagementTests extends LocksEndpointApplication {

	private static final Duration SOON = Duration.ofSeconds(60);

	private static final String JOB = "/actuator/lockedjobs/reports/daily";

	private static final String RUN = "{\"action\":\"run\"}";

	@Test
	void nothingIsManagedUnlessThePropertyIsSet(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, "management.endpoint.lockedjobs.access=unrestricted");
		assertThat(get(JOB, 200)).contains("\"state\":\"NEVER_RUN\"");
		for (String action : new String[] { "run", "pause", "resume" }) {
			assertThat(post(JOB, "{\"action\":\"" + action + "\"}", 403))
				.contains("Set dynamodb-lock.jobs.management=true");
		}
		assertThat(client().find("reports/daily")).isEmpty();
		assertThat(reports().runs()).isZero();
		assertThat(reports().events()).isEmpty();
	}

	@Test
	void accessThatIsReadOnlyManagesNothing(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, "dynamodb-lock.jobs.management=true", "management.endpoint.lockedjobs.access=read-only");
		get(JOB, 200);
		post(JOB, RUN, 405);
		assertThat(reports().runs()).isZero();
	}

	@Test
	void accessOfAllEndpointsThatIsReadOnlyManagesNothing(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, "dynamodb-lock.jobs.management=true", "management.endpoints.access.default=read-only");
		get(JOB, 200);
		post(JOB, RUN, 405);
	}

	@Test
	void thereIsNoEndpointForWhomNothingIsAllowed(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, "dynamodb-lock.jobs.management=true", "management.endpoint.lockedjobs.access=none");
		get(JOB, 404);
		post(JOB, RUN, 404);
	}

	@Test
	void aJobIsRunOnThisNodeOutsideOfItsSchedule(EmbeddedDynamoDb dynamoDb, CapturedLog log) throws Exception {
		begin(dynamoDb, "dynamodb-lock.jobs.management=true");
		assertThat(post(JOB, RUN, 202)).contains("\"job\":\"reports/daily\"", "\"action\":\"RUN\"",
				"\"node\":\"" + client().ownerName() + "\"");
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(get(JOB, 200)).contains("\"state\":\"FINISHED\"", "\"manual\":true",
					"\"outcome\":\"SUCCEEDED\"", "\"lastSuccessAt\""));
		assertThat(get(JOB, 200)).doesNotContain("\"tick\"", "\"attempt\"");
		assertThat(reports().runs()).isEqualTo(1);
		assertThat(log.toString())
			.containsOnlyOnce(
					": a manual run was scheduled on this node by an unauthenticated client through the endpoint "
							+ "'lockedjobs'")
			.containsPattern("INFO .*job 'reports/daily' .*: a manual run was scheduled");
		assertThat(reports().events()).extracting(JobManagedEvent::action).containsExactly(Action.RUN);
	}

	@Test
	void aSecondRequestBeforeTheRunStartsIsRefused(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, "dynamodb-lock.jobs.management=true");
		CountDownLatch busy = new CountDownLatch(1);
		// The only thread of the scheduler is busy.
		application().getBean(ThreadPoolTaskScheduler.class).execute(() -> {
			try {
				busy.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		post(JOB, RUN, 202);
		assertThat(post(JOB, RUN, 409)).contains("a manual run of it waits on this node");
		busy.countDown();
		await().atMost(SOON).untilAsserted(() -> assertThat(get(JOB, 200)).contains("\"state\":\"FINISHED\""));
		assertThat(reports().runs()).isEqualTo(1);
		assertThat(reports().events()).hasSize(1);
	}

	@Test
	void aPausedJobIsNotRunUntilItIsResumed(EmbeddedDynamoDb dynamoDb, CapturedLog log) throws Exception {
		begin(dynamoDb, "dynamodb-lock.jobs.management=true");
		post(JOB, "{\"action\":\"pause\",\"reason\":\"stock\\ntaking\"}", 200);
		assertThat(get(JOB, 200)).contains("\"paused\":\"stock\\ntaking\"");
		assertThat(post(JOB, RUN, 409)).contains("Job 'reports/daily' is paused: stock");
		assertThat(reports().runs()).isZero();
		post(JOB, "{\"action\":\"resume\"}", 200);
		assertThat(get(JOB, 200)).doesNotContain("\"paused\"");
		post(JOB, RUN, 202);
		await().atMost(SOON).until(() -> reports().runs() == 1);
		assertThat(reports().events()).extracting(JobManagedEvent::action)
			.containsExactly(Action.PAUSE, Action.RESUME, Action.RUN);
		assertThat(reports().events().get(0).reason()).hasValue("stock\ntaking");
		assertThat(log.toString()).containsPattern("WARN .*job 'reports/daily' .*: paused on all nodes by .*stock")
			.doesNotContain("stock\ntaking")
			.containsPattern("INFO .*job 'reports/daily' .*: resumed on all nodes by ");
	}

	@Test
	void aJobWhoseLockIsHeldIsLeftAloneAndItsHolderNamed(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, "dynamodb-lock.jobs.management=true");
		try (LockClient other = other(dynamoDb); HeldLock lock = other.acquire("reports/daily")) {
			for (String action : new String[] { "run", "pause", "resume" }) {
				assertThat(post(JOB, "{\"action\":\"" + action + "\"}", 409)).contains(other.ownerName());
			}
			assertThat(lock.isHeld()).isTrue();
		}
		assertThat(reports().runs()).isZero();
		assertThat(reports().events()).isEmpty();
	}

	@Test
	void aRequestThatIsWrongIsAnsweredWithWhatWasExpected(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, "dynamodb-lock.jobs.management=true");
		assertThat(post(JOB, "{\"action\":\"stop\"}", 400)).contains("'stop'", "pause, resume, run");
		assertThat(post(JOB, "{}", 400)).contains("'action' is missing", "pause, resume, run");
		assertThat(post(JOB, "{\"action\":\"pause\",\"reason\":\"" + "x".repeat(201) + "\"}", 400))
			.contains("'reason' has 201 characters; give at most 200");
		assertThat(post("/actuator/lockedjobs/weekly", RUN, 404)).contains("has no job 'weekly'");
		assertThat(reports().events()).isEmpty();
	}

	@Test
	void theUserOfARequestIsInTheLogAndInTheEvent(EmbeddedDynamoDb dynamoDb, CapturedLog log) throws Exception {
		start(application(dynamoDb).sources(Users.class).properties("dynamodb-lock.jobs.management=true"));
		post(JOB, "{\"action\":\"pause\",\"reason\":\"stock-taking\"}", 200);
		assertThat(log.toString())
			.containsOnlyOnce("paused on all nodes by 'alice' through the endpoint 'lockedjobs': stock-taking");
		assertThat(reports().events()).containsExactly(
				new JobManagedEvent(application().getBean(LockedJobs.class).find("reports/daily").orElseThrow(),
						Action.PAUSE, Optional.of("alice"), Optional.of("stock-taking")));
	}

	@Test
	void aListenerThatFailsChangesNoAnswer(EmbeddedDynamoDb dynamoDb, CapturedLog log) throws Exception {
		start(application(dynamoDb).sources(FailingListener.class).properties("dynamodb-lock.jobs.management=true"));
		post(JOB, "{\"action\":\"pause\",\"reason\":\"stock\\nINFO taking\"}", 200);
		assertThat(get(JOB, 200)).contains("\"paused\":\"stock");
		assertThat(log.toString()).contains("A listener failed for JobManagedEvent").doesNotContain("stock\nINFO");
	}

	@Override
	SpringApplicationBuilder application(EmbeddedDynamoDb dynamoDb) {
		return super.application(dynamoDb).sources(Reports.class);
	}

	/** Starts an application, unless the class has one with these properties. */
	private void begin(EmbeddedDynamoDb dynamoDb, String... properties) {
		start(dynamoDb, properties);
		reports().clear();
	}

	private Reports reports() {
		return application().getBean(Reports.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Reports {

		private final AtomicInteger runs = new AtomicInteger();

		private final List<JobManagedEvent> events = new CopyOnWriteArrayList<>();

		public int runs() {
			return this.runs.get();
		}

		public List<JobManagedEvent> events() {
			return this.events;
		}

		void clear() {
			this.runs.set(0);
			this.events.clear();
		}

		@Scheduled(cron = "0 0 2 1 1 *")
		@ScheduledLock("reports/daily")
		public void daily() {
			this.runs.incrementAndGet();
		}

		@EventListener
		public void managed(JobManagedEvent event) {
			this.events.add(event);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		/** As a security filter does. */
		@Bean
		Filter users() {
			return (request, response, chain) -> chain
				.doFilter(new HttpServletRequestWrapper((HttpServletRequest) request) {

					@Override
					public @Nullable Principal getUserPrincipal() {
						return () -> "alice";
					}

				}, response);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FailingListener {

		@EventListener
		void managed(JobManagedEvent event) {
			throw new IllegalStateException("the listener failed for " + event.action());
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.lang.reflect.Method;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.ScheduledLock;
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

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Jobs that an operator pauses, resumes and runs over HTTP.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class LockedJobsManagementTests extends LocksEndpointApplication {

	private static final Duration SOON = Duration.ofSeconds(60);

	private static final String JOB = "/actuator/lockedjobs/reports/daily";

	private static final String MANAGED = "management.endpoint.lockedjobs.access=unrestricted";

	private static final String RUN = "{\"action\":\"run\"}";

	@Test
	void nothingIsManagedUnlessAccessIsUnrestricted(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb);
		assertThat(get(JOB, 200)).contains("\"state\":\"NEVER_RUN\"");
		for (String action : new String[] { "run", "pause", "resume" }) {
			post(JOB, "{\"action\":\"" + action + "\"}", 405);
		}
		assertThat(client().find("reports/daily")).isEmpty();
		assertThat(reports().runs()).isZero();
		assertThat(reports().events()).isEmpty();
	}

	@Test
	void accessOfAllEndpointsThatIsReadOnlyManagesNothing(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, MANAGED, "management.endpoints.access.max-permitted=read-only");
		get(JOB, 200);
		post(JOB, RUN, 405);
	}

	@Test
	void thereIsNoEndpointForWhomNothingIsAllowed(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, "management.endpoint.lockedjobs.access=none");
		get(JOB, 404);
		post(JOB, RUN, 404);
	}

	@Test
	void aJobIsRunOnThisNodeOutsideOfItsSchedule(EmbeddedDynamoDb dynamoDb, CapturedLog log) throws Exception {
		begin(dynamoDb, MANAGED);
		assertThat(post(JOB, RUN, 202)).contains("\"job\":\"reports/daily\"", "\"action\":\"RUN\"",
				"\"node\":\"" + client().ownerName() + "\"");
		await().atMost(SOON)
			.untilAsserted(() -> assertThat(get(JOB, 200)).contains("\"state\":\"NEVER_RUN\"", "\"lastSuccessAt\"")
				.doesNotContain("\"lastRun\"", "\"lastFinished\"", "\"heldBy\""));
		assertThat(reports().runs()).isEqualTo(1);
		assertThat(log.toString()).containsPattern("INFO .*job 'reports/daily' .*: called on this node, outside its "
				+ "schedule, by an unauthenticated client through the endpoint 'lockedjobs'");
		assertThat(reports().events()).extracting(AuditEvent::getType).containsExactly("DYNAMODB_LOCK_JOB_RUN");
	}

	@Test
	void aRequestToRunIsAnsweredWhenTheLockIsGrantedOrRefused(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, MANAGED, "spring.task.scheduling.pool.size=2");
		CountDownLatch ends = new CountDownLatch(1);
		reports().during(ends);
		post(JOB, RUN, 202);
		String owner = client().ownerName();
		assertThat(get(JOB, 200)).contains("\"state\":\"NEVER_RUN\"", "\"heldBy\":\"" + owner + "\"");
		assertThat(post(JOB, RUN, 409)).contains("Job 'reports/daily' is busy", "held by '" + owner + "'");
		assertThat(reports().events()).hasSize(1);
		ends.countDown();
		await().atMost(SOON).untilAsserted(() -> assertThat(get(JOB, 200)).contains("\"lastSuccessAt\""));
		assertThat(reports().runs()).isEqualTo(1);
	}

	@Test
	void aRunThatIsUnderWayGoesOnWhenItsJobIsPaused(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, MANAGED);
		CountDownLatch ends = new CountDownLatch(1);
		reports().during(ends);
		Thread scheduler = new Thread(this::tick, "scheduler");
		scheduler.start();
		try {
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(get(JOB, 200)).contains("\"state\":\"RUNNING\"", "\"runningFor\"",
						"\"heldBy\":\"" + client().ownerName() + "\""));
			post(JOB, "{\"action\":\"pause\"}", 200);
			assertThat(get(JOB, 200)).contains("\"state\":\"RUNNING\"", "\"paused\":\"paused\"");
		}
		finally {
			ends.countDown();
		}
		scheduler.join();
		assertThat(get(JOB, 200)).contains("\"state\":\"FINISHED\"", "\"outcome\":\"SUCCEEDED\"",
				"\"paused\":\"paused\"");
		assertThat(reports().runs()).isEqualTo(1);
	}

	/** Calls the job as Spring's scheduler does. */
	private void tick() {
		Reports reports = reports();
		Method method = Objects.requireNonNull(ReflectionUtils.findMethod(reports.getClass(), "daily"));
		new ScheduledMethodRunnable(reports, method).run();
	}

	@Test
	void aPausedJobHasNoRunUntilItIsResumed(EmbeddedDynamoDb dynamoDb, CapturedLog log) throws Exception {
		begin(dynamoDb, MANAGED);
		post(JOB, "{\"action\":\"pause\",\"reason\":\"stock\\ntaking\"}", 200);
		assertThat(get(JOB, 200)).contains("\"paused\":\"stock\\ntaking\"");
		tick();
		assertThat(reports().runs()).isZero();
		post(JOB, RUN, 202);
		await().atMost(SOON).untilAsserted(() -> assertThat(reports().runs()).as("calls by an operator").isEqualTo(1));
		await().atMost(SOON).untilAsserted(() -> assertThat(get(JOB, 200)).doesNotContain("\"heldBy\""));
		post(JOB, "{\"action\":\"resume\"}", 200);
		assertThat(get(JOB, 200)).doesNotContain("\"paused\"");
		tick();
		assertThat(reports().runs()).isEqualTo(2);
		assertThat(reports().events()).extracting(AuditEvent::getType)
			.containsExactly("DYNAMODB_LOCK_JOB_PAUSE", "DYNAMODB_LOCK_JOB_RUN", "DYNAMODB_LOCK_JOB_RESUME");
		assertThat(reports().events().get(0).getData()).containsEntry("reason", "stock\ntaking");
		assertThat(log.toString()).containsPattern("WARN .*job 'reports/daily' .*: paused on all nodes by .*stock")
			.doesNotContain("stock\ntaking")
			.containsPattern("INFO .*job 'reports/daily' .*: resumed on all nodes by ");
	}

	@Test
	void aJobWhoseLockIsHeldIsNotRunAndTheOwnerIsNamed(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, MANAGED);
		try (LockClient other = other(dynamoDb); HeldLock lock = other.acquire("reports/daily")) {
			assertThat(post(JOB, RUN, 409)).contains("held by '" + other.ownerName() + "'");
			assertThat(lock.isHeld()).isTrue();
		}
		assertThat(reports().runs()).isZero();
		assertThat(reports().events()).isEmpty();
	}

	@Test
	void aJobWhoseLockIsHeldIsPausedAndResumed(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, MANAGED);
		try (LockClient other = other(dynamoDb); HeldLock lock = other.acquire("reports/daily")) {
			post(JOB, "{\"action\":\"pause\"}", 200);
			assertThat(get(JOB, 200)).contains("\"paused\"", "\"heldBy\":\"" + other.ownerName() + "\"");
			post(JOB, "{\"action\":\"resume\"}", 200);
			assertThat(get(JOB, 200)).doesNotContain("\"paused\"");
			lock.renew();
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void aRequestThatIsWrongIsAnsweredWithWhatWasExpected(EmbeddedDynamoDb dynamoDb) throws Exception {
		begin(dynamoDb, MANAGED);
		post(JOB, "{\"action\":\"stop\"}", 400);
		post(JOB, "{}", 400);
		post("/actuator/lockedjobs/weekly", RUN, 404);
		assertThat(reports().events()).isEmpty();
	}

	@Test
	void theUserOfARequestIsInTheLogAndInTheEvent(EmbeddedDynamoDb dynamoDb, CapturedLog log) throws Exception {
		start(application(dynamoDb).sources(Users.class).properties(MANAGED));
		post(JOB, "{\"action\":\"pause\",\"reason\":\"stock-taking\"}", 200);
		assertThat(log.toString())
			.containsOnlyOnce("paused on all nodes by 'alice' through the endpoint 'lockedjobs': stock-taking");
		assertThat(reports().events()).singleElement().satisfies((event) -> {
			assertThat(event.getPrincipal()).isEqualTo("alice");
			assertThat(event.getType()).isEqualTo("DYNAMODB_LOCK_JOB_PAUSE");
			assertThat(event.getData()).isEqualTo(Map.of("job", "reports/daily", "reason", "stock-taking"));
		});
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

		private volatile CountDownLatch end = new CountDownLatch(0);

		private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

		public int runs() {
			return this.runs.get();
		}

		public List<AuditEvent> events() {
			return this.events;
		}

		/** Lets bodies last until then. */
		void during(CountDownLatch end) {
			this.end = end;
		}

		void clear() {
			this.end = new CountDownLatch(0);
			this.runs.set(0);
			this.events.clear();
		}

		@Scheduled(cron = "0 0 2 1 1 *")
		@ScheduledLock("reports/daily")
		public void daily() throws InterruptedException {
			this.end.await();
			this.runs.incrementAndGet();
		}

		@EventListener
		public void managed(AuditApplicationEvent event) {
			this.events.add(event.getAuditEvent());
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

}

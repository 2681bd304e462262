/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances with one table. To one of them, DynamoDB's responses show that its own
 * clock is five seconds ahead.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WrongClockTests {

	private static final String NAMESPACE = "wrong-clock";

	private static final Duration AHEAD = Duration.ofSeconds(5);

	private final EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();

	private ConfigurableApplicationContext right;

	private ConfigurableApplicationContext wrong;

	private LockServerCalls onRight;

	private LockServerCalls onWrong;

	@BeforeAll
	void start() {
		this.right = start(this.dynamoDb.newClient((client) -> {
		}));
		this.wrong = start(this.dynamoDb.newClient((client) -> client
			.overrideConfiguration((settings) -> settings.addExecutionInterceptor(new EarlierDate()))));
		this.onRight = calls(this.right);
		this.onWrong = calls(this.wrong);
		// From its first answer on it knows.
		this.onWrong.get(NAMESPACE, "any");
	}

	@AfterAll
	void stop() {
		this.right.close();
		this.wrong.close();
		this.dynamoDb.close();
	}

	private static ConfigurableApplicationContext start(DynamoDbClient client) {
		return new SpringApplicationBuilder(LockServerApplication.class)
			.initializers(
					(context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class, () -> client))
			.run("--server.address=127.0.0.1", "--server.port=0", "--management.server.port=0",
					"--authentication.disabled=true");
	}

	private static LockServerCalls calls(ConfigurableApplicationContext instance) {
		return LockServerCalls.on(instance.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	@Test
	void itTakesAnExpiredLockOverOnlyAfterItHasObservedIt() {
		long expiry = this.onRight.acquire(NAMESPACE, "expired", "one", 2).number("expiry");
		Duration bound = this.wrong.getEnvironment()
			.getRequiredProperty("dynamodb-lock.clock-skew-bound", Duration.class);
		Instant acquirable = Instant.ofEpochSecond(expiry + 1).plus(bound.multipliedBy(2));
		await().atMost(Duration.ofSeconds(20)).until(() -> Instant.now().isAfter(acquirable));

		assertThat(this.onWrong.acquire(NAMESPACE, "expired", "two", 60).status()).isEqualTo(423);

		await().atMost(Duration.ofSeconds(20))
			.pollInterval(Duration.ofMillis(200))
			.until(() -> this.onWrong.acquire(NAMESPACE, "expired", "two", 60).status() == 200);
	}

	@Test
	void othersDoNotRelyOnItsClock() {
		this.onWrong.acquire(NAMESPACE, "granted", "one", 60);
		this.onRight.acquire(NAMESPACE, "granted-right", "one", 60);

		assertThat(stored("granted").leaseEnds()).isEmpty();
		assertThat(stored("granted-right").leaseEnds()).isPresent();
		assertThat(this.onRight.acquire(NAMESPACE, "granted", "two", 60).status()).isEqualTo(423);
	}

	@Test
	void itCountsLeasesByDynamoDbsClock() {
		Answer granted = this.onWrong.acquire(NAMESPACE, "counted", "one", 60);

		Instant earliest = Instant.now().minus(AHEAD).plusSeconds(58);
		assertThat(Instant.ofEpochSecond(granted.number("expiry"))).isBetween(earliest, earliest.plusSeconds(4));
		assertThat(this.onWrong.get(NAMESPACE, "counted").number("expiry")).isEqualTo(granted.number("expiry"));
	}

	private LockRecord stored(String lockName) {
		return this.right.getBean(LockClient.class).find(LockKey.of(NAMESPACE, lockName)).orElseThrow();
	}

	/** Shows a client the time by which it is ahead. */
	private static final class EarlierDate implements ExecutionInterceptor {

		@Override
		public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
			SdkHttpResponse response = context.httpResponse();
			ZonedDateTime date = ZonedDateTime.parse(response.firstMatchingHeader("Date").orElseThrow(),
					DateTimeFormatter.RFC_1123_DATE_TIME);
			return response.toBuilder()
				.putHeader("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(date.minus(AHEAD)))
				.build();
		}

	}

}

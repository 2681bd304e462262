/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Other holders of a job's lock do not erase its record.
 */
@ExtendWith(DynamoDbExtension.class)
class SharedKeyTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	private static final Instant NEXT = NOON.plus(Duration.ofMinutes(1));

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRecordSurvivesAnotherMethodThatLocksTheSameKey(boolean deleteOnRelease, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, deleteOnRelease).run((node) -> {
			JobNode.tick(node, "run", NOON);
			reprint(node);
			JobNode.tick(node, "run", NOON);
			assertThat(reports(node).count()).as("runs of one tick").isEqualTo(1);
			assertThat(JobNode.record(node, "report").tick()).hasValue(NOON);
			assertHasNoTimeToLive(node);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aPausedJobStaysPaused(boolean deleteOnRelease, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, deleteOnRelease).run((node) -> {
			JobNode.job(node, "report").pause("stock-taking");
			reprint(node);
			JobNode.tick(node, "run", NEXT);
			assertThat(reports(node).count()).isZero();
			assertThat(JobNode.record(node, "report").paused()).hasValue("stock-taking");
			assertHasNoTimeToLive(node);
		});
	}

	@Test
	void aRecordSurvivesAReleaseThatIsToDeleteTheItem(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, true).run((node) -> {
			LockClient client = node.getBean(LockClient.class);
			JobNode.tick(node, "run", NOON);
			client.acquire("report").release();
			client.release(client.acquire("report").detach());
			client.forceRelease(LockKey.of("report"), client.acquire("report").record().ownerName());
			assertThat(client.find("report")).hasValueSatisfying((lock) -> assertThat(lock.isReleased()).isTrue());
			assertThat(JobNode.record(node, "report").tick()).hasValue(NOON);
		});
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, boolean deleteOnRelease) {
		return JobNode.of(dynamoDb, Reports.class)
			.withPropertyValues("dynamodb-lock.delete-on-release=" + deleteOnRelease);
	}

	private static Reports reports(ApplicationContext node) {
		return node.getBean(Reports.class);
	}

	private static void reprint(ApplicationContext node) {
		reports(node).reprint();
	}

	/** DynamoDB ignores a time to live that is not a number. */
	private static void assertHasNoTimeToLive(ApplicationContext node) {
		String table = node.getEnvironment().getProperty("dynamodb-lock.table.name");
		Map<String, AttributeValue> item = node.getBean(DynamoDbClient.class)
			.getItem((get) -> get.tableName(table).key(Map.of("key", AttributeValue.fromS("report"))))
			.item();
		assertThat(item.getOrDefault("expiresAt", AttributeValue.fromS("never")).n()).isNull();
	}

	static class Reports {

		private final AtomicInteger runs = new AtomicInteger();

		int count() {
			return this.runs.get();
		}

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("report")
		public void run() {
			this.runs.incrementAndGet();
		}

		@DistributedLock(name = "report")
		public void reprint() {
		}

	}

}

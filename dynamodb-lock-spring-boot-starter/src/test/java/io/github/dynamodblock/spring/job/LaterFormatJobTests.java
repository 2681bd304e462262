/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A job whose record a newer version has written in an item of a later format.
 */
@ExtendWith(DynamoDbExtension.class)
class LaterFormatJobTests {

	private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

	@Test
	void theJobDoesNotRunAndItsItemIsNotChanged(EmbeddedDynamoDb dynamoDb) {
		JobNode.of(dynamoDb, Upgraded.class).run((node) -> {
			JobNode.tick(node, "upgraded", NOON);
			JobNode.awaitFree(node, "upgraded");
			Map<String, AttributeValue> item = writeInALaterFormat(node);
			// Spring's scheduler logs this exception.
			assertThatExceptionOfType(LockTableException.class)
				.isThrownBy(() -> JobNode.tick(node, "upgraded", NOON.plus(Duration.ofMinutes(1))))
				.withMessageContainingAll("in format 2", "upgrade this application");
			LockedJob job = JobNode.job(node, "upgraded");
			assertThatExceptionOfType(LockTableException.class).isThrownBy(() -> job.pause("a reason"));
			assertThatExceptionOfType(LockTableException.class).isThrownBy(job::resume);
			assertThatExceptionOfType(LockTableException.class).isThrownBy(job::record);
			assertThat(node.getBean(Upgraded.class).runs()).isEqualTo(1);
			assertThat(item(node)).isEqualTo(item);
		});
	}

	private static Map<String, AttributeValue> writeInALaterFormat(ApplicationContext node) {
		return node.getBean(DynamoDbClient.class)
			.updateItem((update) -> update.tableName(JobNode.job(node, "upgraded").client().tableName())
				.key(Map.of("key", AttributeValue.fromS("upgraded")))
				.updateExpression("SET leaseDuration = :later, recordVersionNumber = :version")
				.expressionAttributeValues(Map.of(":version", AttributeValue.fromS("later"), ":later",
						AttributeValue.fromM(Map.of("format", AttributeValue.fromN("2")))))
				.returnValues("ALL_NEW"))
			.attributes();
	}

	private static Map<String, AttributeValue> item(ApplicationContext node) {
		return node.getBean(DynamoDbClient.class)
			.getItem((get) -> get.tableName(JobNode.job(node, "upgraded").client().tableName())
				.key(Map.of("key", AttributeValue.fromS("upgraded")))
				.consistentRead(true))
			.item();
	}

	static class Upgraded {

		private int runs;

		@Scheduled(cron = "0 * * * * *", zone = "UTC")
		@ScheduledLock("upgraded")
		public void upgraded() {
			this.runs++;
		}

		public int runs() {
			return this.runs;
		}

	}

}

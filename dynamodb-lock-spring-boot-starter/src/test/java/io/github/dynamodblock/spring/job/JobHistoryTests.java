/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.dynamodblock.spring.ScheduledLock;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * The recipe of {@code docs/jobs.md} that keeps the history of runs, on a database of its
 * own, since the recipe's table has a fixed name.
 */
@ExtendWith(CapturedLogExtension.class)
class JobHistoryTests {

	private static final Instant TICK = Instant.parse("2026-01-01T02:00:00Z");

	private static final Pattern RECIPE = Pattern.compile("(?s)### The history of runs.*?```java\\n(.*?)```");

	@SuppressWarnings("NullAway.Init")
	private static EmbeddedDynamoDb dynamoDb;

	@BeforeAll
	static void start() {
		dynamoDb = EmbeddedDynamoDb.start();
		dynamoDb.client()
			.createTable((create) -> create.tableName("job-runs")
				.attributeDefinitions(attribute("job"), attribute("run"))
				.keySchema(element("job", KeyType.HASH), element("run", KeyType.RANGE))
				.billingMode(BillingMode.PAY_PER_REQUEST));
	}

	@AfterAll
	static void stop() {
		dynamoDb.close();
	}

	@Test
	void thePageShowsTheRecipeThatRunsHere() throws IOException {
		Matcher recipe = RECIPE.matcher(Files.readString(Path.of("..", "docs", "jobs.md")));
		assertThat(recipe.find()).isTrue();
		Path source = Path.of("src/test/java/io/github/dynamodblock/spring/job/JobHistory.java");
		assertThat(unformatted(Files.readString(source))).endsWith(unformatted(recipe.group(1)));
	}

	@Test
	void everyRunHasAnItemWithItsEnd() {
		node(Reports.class).run((node) -> {
			JobNode.tick(node, "run", TICK);
			node.getBean(Reports.class).fail();
			assertThatIllegalStateException()
				.isThrownBy(() -> JobNode.tick(node, "run", TICK.plus(Duration.ofHours(1))));
		});
		assertThat(ends("report")).containsExactly("attempt 1 SUCCEEDED", "attempt 1 FAILED");
	}

	@Test
	void aCrashIsReportedByTheNodeThatRunsTheTickAgain() {
		ApplicationContextRunner node = node(Crashing.class).withPropertyValues("dynamodb-lock.lease-duration=2s");
		node.run((crashing) -> JobNode.recordCrash(crashing, "crashing", TICK));
		node.withUserConfiguration(Scheduling.class)
			.withPropertyValues("clock=" + TICK.plusSeconds(60))
			.run((next) -> await().untilAsserted(
					() -> assertThat(ends("crashing")).startsWith("crashed, runs again", "attempt 2 SUCCEEDED")));
	}

	@Test
	void aHistoryThatCannotBeWrittenChangesNoRun(CapturedLog log) {
		try (EmbeddedDynamoDb withoutTable = EmbeddedDynamoDb.start()) {
			JobNode.of(withoutTable, Reports.class).withBean(JobHistory.class).run((node) -> {
				JobNode.tick(node, "run", TICK);
				assertThat(JobNode.record(node, "report").outcome()).hasValue(JobOutcome.SUCCEEDED);
			});
		}
		assertThat(log.toString()).contains("A job listener failed");
	}

	private static ApplicationContextRunner node(Class<?> jobs) {
		return JobNode.of(dynamoDb, jobs).withBean(JobHistory.class);
	}

	private static List<String> ends(String job) {
		return dynamoDb.client()
			.query((query) -> query.tableName("job-runs")
				.keyConditionExpression("job = :job")
				.expressionAttributeValues(Map.of(":job", AttributeValue.fromS(job))))
			.items()
			.stream()
			.map((item) -> Objects.requireNonNull(item.get("end")).s())
			.toList();
	}

	/** Without white space, and without this., which the project's own style asks for. */
	private static String unformatted(String source) {
		return source.replace("this.dynamoDb.", "dynamoDb.").replaceAll("\\s", "");
	}

	private static AttributeDefinition attribute(String name) {
		return AttributeDefinition.builder().attributeName(name).attributeType(ScalarAttributeType.S).build();
	}

	private static KeySchemaElement element(String name, KeyType type) {
		return KeySchemaElement.builder().attributeName(name).keyType(type).build();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Reports {

		private volatile boolean failing;

		public void fail() {
			this.failing = true;
		}

		@Scheduled(cron = "0 0 * * * *", zone = "UTC")
		@ScheduledLock(name = "report")
		public void run() {
			if (this.failing) {
				throw new IllegalStateException("no paper");
			}
		}

	}

	static class Crashing {

		@Scheduled(cron = "0 0 2 1 1 *", zone = "UTC")
		@ScheduledLock(name = "crashing")
		public void run() {
		}

	}

}

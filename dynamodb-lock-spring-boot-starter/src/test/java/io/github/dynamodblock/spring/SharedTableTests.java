/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.spring.boot.actuate.LockDescriptors.LocksOfTable;
import io.github.dynamodblock.spring.boot.actuate.LocksEndpoint;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application has its items and its locks in one table, as {@code docs/aws-setup.md}
 * describes it: with the properties that the page shows.
 */
@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class SharedTableTests {

	private static final Pattern PROPERTIES = Pattern
		.compile("(?s)## One table for locks and data.*?```properties\\n(.*?)```");

	private final String table = LockNode.newTableName();

	@Test
	void theApplicationStartsWithTheTableAsItIs(EmbeddedDynamoDb dynamoDb) {
		run(dynamoDb, (context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void locksAndItemsOfTheApplicationStayApart(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		run(dynamoDb, (context) -> {
			LockClient locks = context.getBean(LockClient.class);
			context.getBean(Orders.class).ship("42", () -> {
				assertThat(item(dynamoDb, "lock/orders:42", "lock")).containsKeys("ownerName", "fencingToken", "ttl");
				assertThat(locks.find(LockKey.of("orders:42", "lock"))).isPresent();
			});
			assertThat(item(dynamoDb, "order#42", "order")).containsEntry("state", AttributeValue.fromS("shipped"))
				.doesNotContainKey("ttl");
			assertThat(locks.list().map(LockRecord::key)).containsExactly(LockKey.of("orders:42", "lock"));
			HeldLock held = locks.acquire(LockKey.of("stock", "7"));
			assertThat(listedByTheEndpoint(locks)).containsExactly("stock");
			held.release();
			assertThat(log.toString()).doesNotContain("Skipped an item");
		});
	}

	@Test
	void withoutANamespaceAListLogsEveryItemOfTheApplication(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		run(dynamoDb, (context) -> {
			try (LockClient whole = whole(dynamoDb)) {
				whole.acquire(LockKey.of("lock/stock", "lock"));
				assertThat(whole.list().map(LockRecord::key)).containsExactly(LockKey.of("lock/stock", "lock"));
			}
			assertThat(log.toString()).contains("Skipped an item while listing locks", "order#42");
		});
	}

	@Test
	void aLockWritesAnItemOfItsOwnTable(EmbeddedDynamoDb dynamoDb) {
		run(dynamoDb, (context) -> {
			LockClient locks = context.getBean(LockClient.class);
			HeldLock lock = locks.acquire(LockKey.of("orders:42", "lock"));
			lock.transactWrite(List.of(state("packed")));
			assertThat(item(dynamoDb, "order#42", "order")).containsEntry("state", AttributeValue.fromS("packed"));

			locks.find(lock.key()).ifPresent((record) -> forceRelease(dynamoDb, record));
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> lock.transactWrite(List.of(state("lost"))));
			assertThat(item(dynamoDb, "order#42", "order")).containsEntry("state", AttributeValue.fromS("packed"));
		});
	}

	@Test
	void anItemOfTheApplicationIsNeverTakenForALock(EmbeddedDynamoDb dynamoDb) {
		run(dynamoDb, (context) -> {
			Map<String, AttributeValue> before = item(dynamoDb, "order#42", "order");
			try (LockClient whole = whole(dynamoDb)) {
				assertThatExceptionOfType(LockTableException.class)
					.isThrownBy(() -> whole.acquire(LockKey.of("order#42", "order")));
				assertThatExceptionOfType(LockTableException.class)
					.isThrownBy(() -> whole.forceRelease(LockKey.of("order#42", "order"), "owner"));
			}
			assertThat(item(dynamoDb, "order#42", "order")).isEqualTo(before);
		});
	}

	@Test
	void anIndexOfTheApplicationHasNoLocks(EmbeddedDynamoDb dynamoDb) {
		run(dynamoDb, (context) -> {
			context.getBean(LockClient.class).acquire(LockKey.of("orders:42", "lock"));
			assertThat(dynamoDb.client()
				.scan((scan) -> scan.tableName(this.table).indexName("GSI1"))
				.items()
				.stream()
				.map((item) -> Objects.requireNonNull(item.get("PK")).s())).containsExactly("order#42");
		});
	}

	/** The endpoint shows the locks that are held. */
	private static List<String> listedByTheEndpoint(LockClient locks) {
		LocksOfTable listed = new LocksEndpoint(Map.of("client", locks), (event) -> {
		}).table("client", null, null);
		return Objects.requireNonNull(listed).locks().stream().map((lock) -> lock.key()).toList();
	}

	private TransactWriteItem state(String state) {
		return TransactWriteItem.builder()
			.update((update) -> update.tableName(this.table)
				.key(key("order#42", "order"))
				.updateExpression("SET #state = :state")
				.expressionAttributeNames(Map.of("#state", "state"))
				.expressionAttributeValues(Map.of(":state", AttributeValue.fromS(state))))
			.build();
	}

	/** A client without the namespace, such as one that is configured wrongly. */
	private LockClient whole(EmbeddedDynamoDb dynamoDb) {
		return LockClient.builder(dynamoDb.client())
			.tableName(this.table)
			.partitionKeyName("PK")
			.sortKeyName("SK")
			.timeToLiveAttributeName("ttl")
			.build();
	}

	private void forceRelease(EmbeddedDynamoDb dynamoDb, LockRecord record) {
		try (LockClient whole = whole(dynamoDb)) {
			LockKey stored = LockKey.of("lock/" + record.key().partition(), "lock");
			whole.forceRelease(stored, record.ownerName());
		}
	}

	private Map<String, AttributeValue> item(EmbeddedDynamoDb dynamoDb, String partition, String sort) {
		return dynamoDb.client()
			.getItem((get) -> get.tableName(this.table).key(key(partition, sort)).consistentRead(true))
			.item();
	}

	private static Map<String, AttributeValue> key(String partition, String sort) {
		return Map.of("PK", AttributeValue.fromS(partition), "SK", AttributeValue.fromS(sort));
	}

	private void run(EmbeddedDynamoDb dynamoDb, Scenario scenario) {
		createTable(dynamoDb.client());
		ApplicationContextRunner node = LockNode.bare()
			.withBean(DynamoDbClient.class, () -> dynamoDb.newClient((client) -> {
			}))
			.withBean(Orders.class)
			.withPropertyValues(documented())
			.withPropertyValues("dynamodb-lock.table.name=" + this.table);
		node.run(scenario::run);
	}

	private static String[] documented() {
		try {
			Matcher example = PROPERTIES.matcher(Files.readString(Path.of("..", "docs", "aws-setup.md")));
			assertThat(example.find()).isTrue();
			Properties properties = new Properties();
			properties.load(new StringReader(example.group(1)));
			return properties.entrySet()
				.stream()
				.map((property) -> property.getKey() + "=" + property.getValue())
				.toArray(String[]::new);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	private void createTable(DynamoDbClient client) {
		client.createTable((create) -> create.tableName(this.table)
			.attributeDefinitions(attribute("PK"), attribute("SK"), attribute("GSI1PK"))
			.keySchema(element("PK", KeyType.HASH), element("SK", KeyType.RANGE))
			.globalSecondaryIndexes(GlobalSecondaryIndex.builder()
				.indexName("GSI1")
				.keySchema(element("GSI1PK", KeyType.HASH))
				.projection((projection) -> projection.projectionType(ProjectionType.ALL))
				.build())
			.billingMode(BillingMode.PAY_PER_REQUEST));
		client.updateTimeToLive((update) -> update.tableName(this.table)
			.timeToLiveSpecification((ttl) -> ttl.attributeName("ttl").enabled(true)));
		client.putItem((put) -> put.tableName(this.table)
			.item(Map.of("PK", AttributeValue.fromS("order#42"), "SK", AttributeValue.fromS("order"), "GSI1PK",
					AttributeValue.fromS("customer#7"), "state", AttributeValue.fromS("open"))));
	}

	private static AttributeDefinition attribute(String name) {
		return AttributeDefinition.builder().attributeName(name).attributeType(ScalarAttributeType.S).build();
	}

	private static KeySchemaElement element(String name, KeyType type) {
		return KeySchemaElement.builder().attributeName(name).keyType(type).build();
	}

	@FunctionalInterface
	private interface Scenario {

		void run(AssertableApplicationContext context) throws Exception;

	}

	static class Orders {

		private final ApplicationContext context;

		Orders(ApplicationContext context) {
			this.context = context;
		}

		@DistributedLock(name = "orders", key = "#id")
		public void ship(String id, Runnable meanwhile) {
			meanwhile.run();
			this.context.getBean(DynamoDbClient.class)
				.updateItem((update) -> update
					.tableName(this.context.getEnvironment().getRequiredProperty("dynamodb-lock.table.name"))
					.key(key("order#" + id, "order"))
					.updateExpression("SET #state = :state")
					.expressionAttributeNames(Map.of("#state", "state"))
					.expressionAttributeValues(Map.of(":state", AttributeValue.fromS("shipped"))));
		}

	}

}

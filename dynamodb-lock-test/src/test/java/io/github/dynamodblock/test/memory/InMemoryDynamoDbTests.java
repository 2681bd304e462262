/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the tables in memory answer is what DynamoDB Local answers.
 */
class InMemoryDynamoDbTests {

	private static final Map<String, AttributeValue> KEY = Map.of("key", AttributeValue.fromS("one"));

	private static final Map<String, AttributeValue> ITEM = Map.of("key", AttributeValue.fromS("one"), "text",
			AttributeValue.fromS("middle"), "count", AttributeValue.fromN("10"), "data",
			AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] { 1, 2 })), "list",
			AttributeValue.fromL(List.of(AttributeValue.fromS("a"))), "flag", AttributeValue.fromBool(true));

	private static final Map<String, AttributeValue> VALUES = Map.of(":text", AttributeValue.fromS("middle"), ":a",
			AttributeValue.fromS("a"), ":z", AttributeValue.fromS("z"), ":ten", AttributeValue.fromN("10.0"), ":two",
			AttributeValue.fromN("2"), ":string", AttributeValue.fromS("S"));

	private static final EmbeddedDynamoDb embedded = EmbeddedDynamoDb.start();

	private final InMemoryDynamoDb memory = new InMemoryDynamoDb();

	private final String table = "table-" + UUID.randomUUID();

	@AfterAll
	static void stop() {
		embedded.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "#text = :text", "#text <> :text", "#text < :z", "#text <= :a", "#text > :a",
			"#text >= :text", "#count = :ten", "#count > :two", "#count < :text", "#count <> :text",
			"#count BETWEEN :two AND :ten", "#text BETWEEN :text AND :z AND #count > :ten", "#text IN (:a, :text)",
			"#text IN (:a)", "attribute_exists(#text)", "attribute_exists(#missing)", "attribute_not_exists(#missing)",
			"attribute_type(#text, :string)", "attribute_type(#count, :string)", "begins_with(#text, :text)",
			"begins_with(#text, :a)", "contains(#text, :a)", "contains(#list, :a)", "size(#text) > :two",
			"size(#data) = :two", "size(#list) >= :two", "NOT #text = :text", "NOT (#text = :a OR #count = :ten)",
			"#text = :a OR #text = :text AND #count = :two", "(#text = :a OR #text = :text) AND #count = :ten",
			"#missing = :a", "#missing <> :a", "not attribute_exists(#missing) and #text = :text" })
	void aConditionHoldsWhereItDoesInDynamoDb(String condition) {
		assertThat(holds(this.memory, condition)).isEqualTo(holds(embedded.client(), condition));
	}

	@ParameterizedTest
	@ValueSource(strings = { "SET #text = :a", "SET #new = :a, #count = #count + :two",
			"SET #count = :two - #count REMOVE #text", "SET #new = if_not_exists(#missing, :two) + :two",
			"SET #new = if_not_exists(#count, :two) + :two", "REMOVE #missing, #text", "ADD #count :two",
			"ADD #new :two", "SET #new = #text REMOVE #text", "SET #key = :a", "SET #new = #missing",
			"SET #new = #text + :two", "SET #text = :a, #text = :z" })
	void anUpdateChangesWhatItDoesInDynamoDb(String update) {
		assertThat(updated(this.memory, update)).isEqualTo(updated(embedded.client(), update));
	}

	@Test
	void aKeyThatDoesNotFitTheTableIsRefused() {
		create(this.memory);
		for (Map<String, AttributeValue> key : List.of(Map.of("id", AttributeValue.fromS("one")),
				Map.of("key", AttributeValue.fromN("1")), Map.of("key", AttributeValue.fromS("")),
				Map.of("key", AttributeValue.fromS("one"), "more", AttributeValue.fromS("two")))) {
			assertThatExceptionOfType(DynamoDbException.class)
				.isThrownBy(() -> this.memory.getItem((get) -> get.tableName(this.table).key(key)))
				.satisfies((ex) -> assertThat(ex.awsErrorDetails().errorCode()).isEqualTo("ValidationException"));
		}
	}

	@Test
	void aTableIsCreatedOnce() {
		create(this.memory);
		assertThatExceptionOfType(ResourceInUseException.class).isThrownBy(() -> create(this.memory));
		assertThat(this.memory.listTables().tableNames()).containsExactly(this.table);
	}

	@Test
	void whatItDoesNotKnowIsRefused() {
		create(this.memory);
		this.memory.putItem((put) -> put.tableName(this.table).item(ITEM));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.memory.listBackups());
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(
				() -> this.memory.scan((scan) -> scan.tableName(this.table).filterExpression("attribute_exists(a.b)")))
			.withMessageContaining("no document paths");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.memory.scan((scan) -> scan.tableName(this.table).indexName("byOwner")))
			.withMessageContaining("an index");
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.memory.query(
					(query) -> query.tableName(this.table).keyConditionExpression("#k = :k").scanIndexForward(false)))
			.withMessageContaining("a descending order");
	}

	private boolean holds(DynamoDbClient client, String condition) {
		create(client);
		client.putItem((put) -> put.tableName(this.table).item(ITEM));
		return !client
			.scan((scan) -> scan.tableName(this.table)
				.filterExpression(condition)
				.expressionAttributeNames(names(condition))
				.expressionAttributeValues(values(condition)))
			.items()
			.isEmpty();
	}

	/** The item, or the kind of error. */
	private Object updated(DynamoDbClient client, String update) {
		create(client);
		client.putItem((put) -> put.tableName(this.table).item(ITEM));
		try {
			return client
				.updateItem((request) -> request.tableName(this.table)
					.key(KEY)
					.updateExpression(update)
					.expressionAttributeNames(names(update))
					.expressionAttributeValues(values(update))
					.returnValues(ReturnValue.ALL_NEW))
				.attributes();
		}
		catch (DynamoDbException ex) {
			return ex.awsErrorDetails().errorCode();
		}
	}

	private void create(DynamoDbClient client) {
		client.createTable((create) -> create.tableName(this.table)
			.billingMode(BillingMode.PAY_PER_REQUEST)
			.keySchema(KeySchemaElement.builder().attributeName("key").keyType(KeyType.HASH).build())
			.attributeDefinitions(
					AttributeDefinition.builder().attributeName("key").attributeType(ScalarAttributeType.S).build()));
	}

	/** DynamoDB refuses names and values that an expression does not use. */
	private static Map<String, String> names(String expression) {
		return List.of("key", "text", "count", "data", "list", "missing", "new")
			.stream()
			.filter((name) -> expression.contains("#" + name))
			.collect(Collectors.toMap((name) -> "#" + name, (name) -> name));
	}

	private static @Nullable Map<String, AttributeValue> values(String expression) {
		Map<String, AttributeValue> used = new HashMap<>(VALUES);
		used.keySet().removeIf((name) -> !expression.matches(".*" + name + "\\b.*"));
		return used.isEmpty() ? null : used;
	}

}

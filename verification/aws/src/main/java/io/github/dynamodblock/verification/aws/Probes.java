/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Single calls whose results may differ between DynamoDB in AWS and DynamoDB Local, as
 * short texts.
 */
final class Probes {

	private static final String RECORDED = "local-probes.txt";

	private static final String SEPARATOR = " => ";

	private static final Map<String, AttributeValue> KEY = Map.of("key", AttributeValue.fromS("item"));

	private static final int MORE_THAN_AN_ITEM_HOLDS = 410 * 1024;

	private static final int MORE_THAN_AN_EXPRESSION_HOLDS = 4200;

	private final RunContext context;

	private final LastResponse last = new LastResponse();

	private final Map<String, String> results = new LinkedHashMap<>();

	private Probes(RunContext context) {
		this.context = context;
	}

	/** Returns the results that were recorded for DynamoDB Local. */
	static Map<String, String> recorded() {
		try (InputStream file = Objects.requireNonNull(Probes.class.getResourceAsStream(RECORDED), RECORDED)) {
			return parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads what {@link #format} wrote. */
	static Map<String, String> parse(String text) {
		Map<String, String> results = new LinkedHashMap<>();
		text.lines()
			.filter((line) -> line.contains(SEPARATOR))
			.map((line) -> line.split(SEPARATOR, 2))
			.forEach((parts) -> results.put(parts[0], parts[1]));
		return results;
	}

	/** Writes results, one in a line. */
	static String format(Map<String, String> results) {
		return results.entrySet()
			.stream()
			.map((result) -> result.getKey() + SEPARATOR + result.getValue() + "\n")
			.collect(Collectors.joining());
	}

	/** Makes the calls, and returns their results in the order of the calls. */
	static Map<String, String> run(RunContext context) {
		Probes probes = new Probes(context);
		try (DynamoDbClient dynamoDb = context.newClient(probes.last)) {
			probes.run(dynamoDb);
		}
		return Collections.unmodifiableMap(probes.results);
	}

	private void run(DynamoDbClient dynamoDb) {
		String table = this.context.tables().name("probes");
		String missing = this.context.tables().name("missing");
		probe("CreateTable: status in the response",
				() -> create(dynamoDb, table).tableDescription().tableStatusAsString());
		dynamoDb.waiter().waitUntilTableExists((request) -> request.tableName(table));
		probe("CreateTable of a table that exists", () -> create(dynamoDb, table));
		probe("DescribeTable: warm throughput",
				() -> present(dynamoDb.describeTable((request) -> request.tableName(table)).table().warmThroughput()));
		probe("DescribeTable of a missing table",
				() -> dynamoDb.describeTable((request) -> request.tableName(missing)));
		probe("GetItem of a missing table", () -> dynamoDb.getItem((request) -> request.tableName(missing).key(KEY)));
		probe("ListTagsOfResource", () -> {
			String arn = dynamoDb.describeTable((request) -> request.tableName(table)).table().tableArn();
			return dynamoDb.listTagsOfResource((request) -> request.resourceArn(arn)).tags().size() + " tags";
		});
		timeToLive(dynamoDb, table);
		capacity(dynamoDb, table);
		conditions(dynamoDb, table);
		invalidRequests(dynamoDb, table);
		headers(dynamoDb, table, missing);
	}

	private static CreateTableResponse create(DynamoDbClient dynamoDb, String table) {
		return dynamoDb.createTable(RunTables.creation(table).billingMode(BillingMode.PAY_PER_REQUEST).build());
	}

	private void timeToLive(DynamoDbClient dynamoDb, String table) {
		probe("DescribeTimeToLive of a new table", () -> timeToLive(
				dynamoDb.describeTimeToLive((request) -> request.tableName(table)).timeToLiveDescription()));
		Supplier<Object> enable = () -> dynamoDb
			.updateTimeToLive((request) -> request.tableName(table)
				.timeToLiveSpecification((to) -> to.enabled(true).attributeName("expiresAt")))
			.timeToLiveSpecification()
			.enabled();
		probe("UpdateTimeToLive", enable);
		probe("UpdateTimeToLive again", enable);
		probe("DescribeTimeToLive afterwards", () -> timeToLive(
				dynamoDb.describeTimeToLive((request) -> request.tableName(table)).timeToLiveDescription()));
	}

	private static String timeToLive(TimeToLiveDescription description) {
		return description.timeToLiveStatusAsString() + ", attribute " + description.attributeName();
	}

	private void capacity(DynamoDbClient dynamoDb, String table) {
		probe("UpdateItem: consumed capacity",
				() -> dynamoDb.updateItem(update(table).build()).consumedCapacity().capacityUnits());
		for (boolean consistent : new boolean[] { true, false }) {
			probe("GetItem, " + (consistent ? "strongly" : "eventually") + " consistent: consumed capacity",
					() -> dynamoDb.getItem((request) -> request.tableName(table).key(KEY).consistentRead(consistent))
						.consumedCapacity()
						.capacityUnits());
		}
		probe("Scan, eventually consistent: consumed capacity",
				() -> dynamoDb.scan((request) -> request.tableName(table)).consumedCapacity().capacityUnits());
		probe("TransactWriteItems with one update: consumed capacity",
				() -> dynamoDb
					.transactWriteItems((request) -> request.transactItems(transactional(table, "size >= :zero")))
					.consumedCapacity()
					.stream()
					.map((each) -> each.capacityUnits())
					.toList());
	}

	private void conditions(DynamoDbClient dynamoDb, String table) {
		for (ReturnValuesOnConditionCheckFailure values : List.of(ReturnValuesOnConditionCheckFailure.ALL_OLD,
				ReturnValuesOnConditionCheckFailure.NONE)) {
			probe("UpdateItem whose condition is not met, " + values,
					() -> dynamoDb.updateItem(update(table).conditionExpression("attribute_not_exists(#size)")
						.returnValuesOnConditionCheckFailure(values)
						.build()));
		}
		probe("TransactWriteItems whose condition is not met", () -> dynamoDb
			.transactWriteItems((request) -> request.transactItems(transactional(table, "size < :zero"))));
	}

	private void invalidRequests(DynamoDbClient dynamoDb, String table) {
		probe("GetItem with an empty key", () -> dynamoDb
			.getItem((request) -> request.tableName(table).key(Map.of("key", AttributeValue.fromS("")))));
		probe("GetItem with a key of another name", () -> dynamoDb
			.getItem((request) -> request.tableName(table).key(Map.of("id", AttributeValue.fromS("item")))));
		probe("GetItem with a key of another type", () -> dynamoDb
			.getItem((request) -> request.tableName(table).key(Map.of("key", AttributeValue.fromN("1")))));
		probe("UpdateItem without the table's key",
				() -> dynamoDb.updateItem(update(table).key(Map.of("id", AttributeValue.fromS("item"))).build()));
		probe("Query by an attribute that is not the key",
				() -> dynamoDb.query((request) -> request.tableName(table)
					.keyConditionExpression("id = :id")
					.expressionAttributeValues(Map.of(":id", AttributeValue.fromS("item")))));
		probe("UpdateItem of the key",
				() -> dynamoDb.updateItem(update(table).expressionAttributeNames(Map.of("#size", "key")).build()));
		probe("PutItem of more than 400 KB",
				() -> dynamoDb.putItem((request) -> request.tableName(table)
					.item(Map.of("key", AttributeValue.fromS("item"), "data",
							AttributeValue.fromS("x".repeat(MORE_THAN_AN_ITEM_HOLDS))))));
		probe("UpdateItem with an expression of more than 4 KB", () -> dynamoDb.updateItem(
				update(table).conditionExpression("#size = :one" + " ".repeat(MORE_THAN_AN_EXPRESSION_HOLDS)).build()));
		probe("UpdateItem with 301 operators",
				() -> dynamoDb.updateItem(update(table)
					.conditionExpression(
							IntStream.range(0, 151).mapToObj((i) -> "#size = :one").collect(Collectors.joining(" OR ")))
					.build()));
	}

	private void headers(DynamoDbClient dynamoDb, String table, String missing) {
		probe("Headers of a response", () -> {
			dynamoDb.getItem((request) -> request.tableName(table).key(KEY));
			return this.last.headers();
		});
		probe("Headers of an error", () -> {
			try {
				dynamoDb.getItem((request) -> request.tableName(missing).key(KEY));
			}
			catch (AwsServiceException ex) {
				return this.last.headers();
			}
			return "no error";
		});
	}

	private static UpdateItemRequest.Builder update(String table) {
		return UpdateItemRequest.builder()
			.tableName(table)
			.key(KEY)
			.updateExpression("SET #size = :one")
			.expressionAttributeNames(Map.of("#size", "size"))
			.expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")));
	}

	private static TransactWriteItem transactional(String table, String condition) {
		return TransactWriteItem.builder()
			.update((update) -> update.tableName(table)
				.key(KEY)
				.updateExpression("SET #size = :one")
				.conditionExpression(condition.replace("size", "#size"))
				.expressionAttributeNames(Map.of("#size", "size"))
				.expressionAttributeValues(
						Map.of(":one", AttributeValue.fromN("1"), ":zero", AttributeValue.fromN("0"))))
			.build();
	}

	private static String present(@Nullable Object value) {
		return (value != null) ? "present" : "absent";
	}

	private void probe(String name, Supplier<Object> call) {
		String result;
		try {
			Object value = call.get();
			result = (value instanceof String || value instanceof Number || value instanceof Boolean
					|| value instanceof List) ? value.toString() : "no error";
		}
		catch (AwsServiceException ex) {
			result = describe(ex);
		}
		catch (RuntimeException ex) {
			result = ex.getClass().getSimpleName();
		}
		this.results.put(name, general(result));
	}

	private static String describe(AwsServiceException ex) {
		String more = "";
		if (ex instanceof ConditionalCheckFailedException failed) {
			more = failed.item().isEmpty() ? ", without the item" : ", with the item";
		}
		if (ex instanceof TransactionCanceledException cancelled) {
			more = ", reasons " + cancelled.cancellationReasons()
				.stream()
				.map((reason) -> reason.code() + ": " + reason.message())
				.toList();
		}
		return ex.statusCode() + " " + ex.awsErrorDetails().errorCode() + ": " + ex.awsErrorDetails().errorMessage()
				+ more;
	}

	/** Replaces what differs from run to run. */
	private String general(String text) {
		return text.replace(this.context.tables().name("probes"), "TABLE")
			.replace(this.context.tables().name("missing"), "MISSING")
			.replaceAll("arn:aws[a-z-]*:dynamodb:[^:]*:\\d*:", "arn:aws:dynamodb:REGION:ACCOUNT:")
			.replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
			.replaceAll("\\s+", " ");
	}

	/** Keeps the names of the headers of the last response. */
	private static final class LastResponse implements ExecutionInterceptor {

		private @Nullable SdkHttpResponse response;

		@Override
		public void afterTransmission(Context.AfterTransmission transmission, ExecutionAttributes attributes) {
			this.response = transmission.httpResponse();
		}

		List<String> headers() {
			SdkHttpResponse last = this.response;
			return (last != null) ? last.headers().keySet().stream().map(String::toLowerCase).sorted().toList()
					: List.of();
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.testing.CallRecorder;
import io.github.dynamodblock.testing.RepositoryFiles;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Compares the policies of {@code docs/aws-setup.md} and {@code samples/deploy} with the
 * calls that each feature makes. The policy's home is
 * {@code samples/deploy/iam-policy.json}.
 */
class IamPolicyTests {

	private static final Pattern ROW = Pattern.compile("(?m)^\\| (.+?) \\| (`.+?`) \\| (`.+?`) \\|$");

	private static final Pattern STATEMENT = Pattern.compile(
			"\"Sid\": \"(\\w+)\",\\s+\"Effect\": \"Allow\",\\s+\"Action\": \\[([^\\]]+)\\],\\s+\"Resource\": \"([^\"]+)\"");

	private static final String DEPLOY = "samples/deploy/";

	private static final Pattern SIDS = Pattern.compile("variable \"statements\" \\{[^}]+ default += \\[([^\\]]+)\\]");

	private static final Pattern ACTION = Pattern.compile("\"dynamodb:([^\"]+)\"");

	private static final Pattern LEADING_KEYS = Pattern.compile("\"dynamodb:LeadingKeys\": \\[\"([^\"]+)\"\\]");

	private static final Pattern ITEM_ACTIONS = Pattern
		.compile("guarded write also needs ([^.]+?)\\s+on\\s+the\\s+application's\\s+table");

	private static final String RESTRICTED = "LocksOfOneNamespace";

	private final CallRecorder recorder = new CallRecorder();

	private final DynamoDbClient dynamoDb = TestDynamoDb.newClient(this.recorder);

	private TableSchema table = TestDynamoDb.newTable();

	/** The application's table. */
	private final String orders = TestDynamoDb.newTable().tableName();

	@AfterEach
	void close() {
		this.dynamoDb.close();
	}

	static Stream<Feature> features() {
		return rows().entrySet().stream().map((row) -> new Feature(row.getKey(), row.getValue()));
	}

	@ParameterizedTest
	@MethodSource("features")
	void featureSendsTheCallsThatThePageLists(Feature feature) throws Exception {
		use(feature.name());
		assertThat(actionsOn(this.table.tableName())).as(feature.name()).isEqualTo(feature.row().actions());
		assertThat(actions().filter((action) -> !action.isOn(this.table.tableName())))
			.allMatch((action) -> feature.row().actions().contains("ConditionCheckItem") && action.isOn(this.orders));
	}

	@Test
	void statementsAllowWhatTheirFeaturesCallAndNothingElse() {
		Map<String, Set<String>> statements = statements();
		Map<String, Set<String>> needed = new LinkedHashMap<>();
		for (Row row : rows().values()) {
			Set<String> allowed = new TreeSet<>();
			for (String sid : row.statements()) {
				assertThat(statements).containsKey(sid);
				allowed.addAll(statements.get(sid));
				needed.computeIfAbsent(sid, (key) -> new TreeSet<>()).addAll(row.actions());
			}
			assertThat(allowed).containsAll(row.actions());
		}
		assertThat(statements.keySet()).containsExactlyInAnyOrderElementsOf(needed.keySet());
		statements.forEach((sid, actions) -> assertThat(needed.get(sid)).as(sid).containsAll(actions));
	}

	@Test
	void restrictedRoleSeesNoOtherKeysThanThoseOfItsNamespace() throws Exception {
		String pattern = only(LEADING_KEYS, page());
		assertThat(pattern).endsWith("/*");
		String namespace = pattern.substring(0, pattern.length() - 2);
		try (LockClient client = client().namespace(namespace).deleteOnRelease(true).build()) {
			client.acquire("order").release();
			assertThat(client.find("order")).isEmpty();
			assertThat(client.list(ListRequest.partition("order")).toList()).isEmpty();
			client.forceRelease(LockKey.of("order"), "nobody");
			client.change(LockKey.of("order"), ItemChange.none());
		}
		assertThat(leadingKeys()).hasSizeGreaterThan(3).allMatch((key) -> key.startsWith(namespace + "/"));
		assertThat(actionsOf(RESTRICTED)).containsAll(actionsOn(this.table.tableName()));
	}

	@Test
	void pageQuotesTheFile() {
		assertThat(page()).contains("```json\n" + policy() + "```\n");
	}

	@Test
	void terraformAllowsLocksAndTheTableCheckAndNothingElse() throws Exception {
		String variables = read(DEPLOY + "terraform/variables.tf");
		Set<String> chosen = names(only(SIDS, variables));
		Map<String, Set<String>> statements = statements();
		assertThat(statements).containsKeys(chosen.toArray(String[]::new));
		statements.keySet().retainAll(chosen);
		Set<String> allowed = statements.values()
			.stream()
			.flatMap(Set::stream)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(allowed).isEqualTo(actionsOfMostApplications());
		assertThat(read(DEPLOY + "terraform/main.tf")).contains("${path.module}/../iam-policy.json")
			.doesNotContainPattern(ACTION);
	}

	@Test
	void lambdaFunctionMayUseLocksAndCheckTheTableAndNothingElse() throws Exception {
		Set<String> allowed = ACTION.matcher(read(DEPLOY + "lambda/template.yaml"))
			.results()
			.map((action) -> action.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(allowed).isEqualTo(actionsOfMostApplications());
	}

	/** Of locks, their health and the check of the table at startup. */
	private Set<String> actionsOfMostApplications() throws Exception {
		lock();
		find();
		lockTable().check();
		return actionsOn(this.table.tableName());
	}

	private void use(String feature) throws Exception {
		switch (feature.replaceAll("[ ;,].*", "")) {
			case "acquire" -> lock();
			case "`deleteOnRelease`" -> deleteOnRelease();
			case "`find`" -> find();
			case "`forceRelease`" -> forceRelease();
			case "`change`" -> change();
			case "`list`" -> list(feature.contains("partition") ? ListRequest.partition("k") : ListRequest.all());
			case "check" -> lockTable().check();
			case "`createIfMissing`" -> createTable();
			case "[`transactWrite`](guarding.md#in-dynamodb-the-lock-writes)" -> guardedWrite();
			default -> throw new IllegalArgumentException("No test uses the feature '" + feature + "' of the page");
		}
	}

	private void lock() throws InterruptedException {
		try (LockClient other = LockClient.builder(TestDynamoDb.client()).tableName(this.table.tableName()).build();
				LockClient client = client().build()) {
			HeldLock held = other.acquire("k");
			assertThat(client.tryAcquire(LockRequest.of("k").waitTime(Duration.ofSeconds(1)))).isEmpty();
			held.release();
			HeldLock lock = client.acquire("k");
			lock.renew();
			client.adopt(client.renew(lock.detach())).release();
		}
	}

	private void deleteOnRelease() throws InterruptedException {
		try (LockClient client = client().deleteOnRelease(true).build()) {
			client.acquire("k").release();
		}
	}

	private void find() {
		try (LockClient client = client().build()) {
			client.find("k");
		}
	}

	private void change() {
		try (LockClient client = client().build()) {
			assertThat(client.change(LockKey.of("k"), ItemChange.none()).isReleased()).isTrue();
			assertThat(client.change(LockKey.of("k"), ItemChange.none()).isReleased()).isTrue();
		}
	}

	private void forceRelease() throws InterruptedException {
		try (LockClient other = LockClient.builder(TestDynamoDb.client()).tableName(this.table.tableName()).build();
				LockClient client = client().build()) {
			other.acquire("k");
			assertThat(client.forceRelease(LockKey.of("k"), other.ownerName())).isEqualTo(ReleaseOutcome.RELEASED);
		}
	}

	private void list(ListRequest request) {
		try (LockClient client = client().build()) {
			assertThat(client.list(request)).isEmpty();
		}
	}

	private void createTable() {
		this.table = TableSchema.of(TestDynamoDb.newTableName());
		assertThat(lockTable().createIfMissing()).isTrue();
	}

	/** The last one is refused, so that nothing is left to release. */
	private void guardedWrite() throws InterruptedException {
		TransactWriteItem put = Objects.requireNonNull(itemsOfTheApplication().get("PutItem"));
		try (LockClient other = LockClient.builder(TestDynamoDb.client()).tableName(this.table.tableName()).build();
				LockClient client = client().build()) {
			HeldLock lock = client.acquire(LockRequest.of("k").automaticRenewal(false));
			this.recorder.clear();
			lock.transactWrite(List.of(put));
			ConditionCheck held = lock.conditionCheck();
			this.dynamoDb.transactWriteItems((transaction) -> transaction
				.transactItems(TransactWriteItem.builder().conditionCheck(held).build()));
			other.forceRelease(lock.key(), client.ownerName());
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.transactWrite(List.of(put)));
		}
	}

	@Test
	void itemsOfAGuardedWriteNeedTheActionsThatThePageListsOnTheirTable() throws InterruptedException {
		Map<String, TransactWriteItem> items = itemsOfTheApplication();
		try (LockClient client = client().build()) {
			HeldLock lock = client.acquire(LockRequest.of("k").automaticRenewal(false));
			this.recorder.clear();
			lock.transactWrite(items.values());
		}
		assertThat(actionsOn(this.orders)).containsExactlyInAnyOrderElementsOf(items.keySet())
			.isEqualTo(names(only(ITEM_ACTIONS, page()).replace(" or ", ", ")));
		assertThat(actionsOn(this.table.tableName())).contains("ConditionCheckItem").doesNotContain("PutItem");
	}

	/** One item for each kind of write, by the action that it needs. */
	private Map<String, TransactWriteItem> itemsOfTheApplication() {
		return Map.of("PutItem",
				TransactWriteItem.builder().put((put) -> put.tableName(this.orders).item(order("put"))).build(),
				"UpdateItem",
				TransactWriteItem.builder()
					.update((update) -> update.tableName(this.orders)
						.key(order("update"))
						.updateExpression("SET packed = :yes")
						.expressionAttributeValues(Map.of(":yes", AttributeValue.fromBool(true))))
					.build(),
				"DeleteItem",
				TransactWriteItem.builder()
					.delete((delete) -> delete.tableName(this.orders).key(order("delete")))
					.build());
	}

	private static Map<String, AttributeValue> order(String key) {
		return Map.of("key", AttributeValue.fromS(key));
	}

	private LockClientBuilder client() {
		return LockClient.builder(this.dynamoDb).tableName(this.table.tableName());
	}

	private LockTable lockTable() {
		return LockTable.of(this.dynamoDb, this.table.tableName());
	}

	private Set<String> actionsOn(String table) {
		return actions().filter((action) -> action.isOn(table))
			.map(Action::name)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private Stream<Action> actions() {
		return this.recorder.calls()
			.stream()
			.flatMap((call) -> (call.request() instanceof TransactWriteItemsRequest transaction)
					? transaction.transactItems().stream().map(IamPolicyTests::action)
					: Stream.of(new Action(call.operation(),
							call.request().getValueForField("TableName", String.class).orElseThrow())));
	}

	/**
	 * DynamoDB asks for the permission of each action in a transaction, not of the
	 * transaction.
	 */
	private static Action action(TransactWriteItem item) {
		if (item.conditionCheck() != null) {
			return new Action("ConditionCheckItem", item.conditionCheck().tableName());
		}
		if (item.put() != null) {
			return new Action("PutItem", item.put().tableName());
		}
		return (item.update() != null) ? new Action("UpdateItem", item.update().tableName())
				: new Action("DeleteItem", item.delete().tableName());
	}

	private List<String> leadingKeys() {
		return this.recorder.calls()
			.stream()
			.flatMap((call) -> Stream.concat(
					call.request().getValueForField("Key", Map.class).stream().map((key) -> key.get("key")),
					call.request()
						.getValueForField("ExpressionAttributeValues", Map.class)
						.filter((values) -> call.operation().equals("Query"))
						.stream()
						.flatMap((values) -> ((Map<?, ?>) values).values().stream())))
			.map((value) -> ((AttributeValue) value).s())
			.toList();
	}

	private static Map<String, Row> rows() {
		Map<String, Row> rows = new LinkedHashMap<>();
		ROW.matcher(page())
			.results()
			.forEach((row) -> rows.put(row.group(1), new Row(names(row.group(2)), names(row.group(3)))));
		assertThat(rows).hasSizeGreaterThan(8);
		return rows;
	}

	private static Map<String, Set<String>> statements() {
		Map<String, Set<String>> statements = new LinkedHashMap<>();
		STATEMENT.matcher(policy()).results().forEach((statement) -> {
			assertThat(statement.group(3)).endsWith(":table/locks");
			statements.put(statement.group(1), actions(statement));
		});
		return statements;
	}

	private static Set<String> actionsOf(String sid) {
		return STATEMENT.matcher(page())
			.results()
			.filter((statement) -> statement.group(1).equals(sid))
			.map(IamPolicyTests::actions)
			.findFirst()
			.orElseThrow();
	}

	private static Set<String> actions(MatchResult statement) {
		return names(statement.group(2)).stream()
			.map((action) -> action.substring("dynamodb:".length()))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Set<String> names(String list) {
		return Arrays.stream(list.split(",", -1))
			.map((name) -> name.replaceAll("[`\"\\s]", ""))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String only(Pattern pattern, String text) {
		return pattern.matcher(text).results().map((found) -> found.group(1)).findFirst().orElseThrow();
	}

	private static String page() {
		return read("docs/aws-setup.md");
	}

	private static String policy() {
		return read(DEPLOY + "iam-policy.json");
	}

	private static String read(String file) {
		try {
			return Files.readString(RepositoryFiles.root().resolve(file));
		}
		catch (IOException ex) {
			throw new IllegalStateException(file + " cannot be read", ex);
		}
	}

	private record Action(String name, String table) {

		boolean isOn(String another) {
			return this.table.equals(another);
		}

	}

	private record Row(Set<String> actions, Set<String> statements) {
	}

	private record Feature(String name, Row row) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}

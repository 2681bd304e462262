/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.testing.RepositoryFiles;
import io.github.dynamodblock.testing.TestDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import static io.github.dynamodblock.testing.TestDynamoDb.newTable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The ways in which {@code docs/guarding.md} guards a resource: each lets an owner write,
 * and rejects one that has lost its lock without detecting it.
 */
@Order(1)
class GuardedResourceTests {

	private static final String OTHER_GUARDS = "verification/demos/orders-api/src/test/java/io/github/dynamodblock/verification/guarding/";

	private static final List<String> TESTS_OF_THE_GUIDE = List.of(
			"dynamodb-lock-core/src/test/java/io/github/dynamodblock/GuardedResourceTests.java",
			"dynamodb-lock-spring-boot-starter/src/test/java/io/github/dynamodblock/spring/GuardedWriteExamplesTests.java",
			OTHER_GUARDS + "JdbcGuardTests.java", OTHER_GUARDS + "JpaGuardTests.java",
			OTHER_GUARDS + "HttpGuardTests.java", OTHER_GUARDS + "S3GuardTests.java");

	private final DynamoDbClient dynamoDb = TestDynamoDb.client();

	private final TableSchema table = newTable();

	private final String locks = this.table.tableName();

	/** The orders are items of a table of their own. */
	private final String orders = newTable().tableName();

	private LockClient one;

	private LockClient two;

	@BeforeEach
	void open() {
		this.one = client("one");
		this.two = client("two");
	}

	@AfterEach
	void close() {
		this.one.close();
		this.two.close();
	}

	private LockClient client(String name) {
		return LockClient.builder(this.dynamoDb)
			.tableName(this.locks)
			.ownerName(name)
			.leaseDuration(Duration.ofMinutes(1))
			.waitTime(Duration.ofMinutes(1))
			.build();
	}

	/** As after a pause of the owner that is longer than its lease. */
	private HeldLock takeOver() throws InterruptedException {
		this.two.find(LockKey.of("order-1")).ifPresent((lock) -> this.two.forceRelease(lock.key(), lock.ownerName()));
		return this.two.acquire("order-1");
	}

	@Test
	void aTransactionWithTheLockCommitsOnlyWhileTheLockIsHeld() throws InterruptedException {
		HeldLock lock = this.one.acquire(LockRequest.of("order-1").automaticRenewal(false));
		writeInATransaction(lock, "packed");
		assertThat(order()).containsEntry("state", string("packed"));

		HeldLock next = takeOver();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> writeInATransaction(lock, "lost"));
		assertThat(order()).containsEntry("state", string("packed"));
		writeInATransaction(next, "sent");
		assertThat(order()).containsEntry("state", string("sent"));

		next.release();
		assertThatIllegalStateException().isThrownBy(() -> writeInATransaction(next, "lost"));
	}

	private void writeInATransaction(HeldLock lock, String state) throws InterruptedException {
		Put order = Put.builder()
			.tableName(this.orders)
			.item(Map.of("key", string("order-1"), "state", string(state)))
			.build();
		lock.transactWrite(List.of(TransactWriteItem.builder().put(order).build()));
	}

	@Test
	void anItemThatKeepsTheGreatestTokenRefusesAFormerOwner() throws InterruptedException {
		HeldLock lock = this.one.acquire(LockRequest.of("order-1").automaticRenewal(false));
		writeWithTheToken(lock, "packed");

		HeldLock next = takeOver();
		writeWithTheToken(next, "sent");
		assertThatExceptionOfType(ConditionalCheckFailedException.class)
			.isThrownBy(() -> writeWithTheToken(lock, "lost"));
		assertThat(order()).containsEntry("orderState", string("sent"));
	}

	private void writeWithTheToken(HeldLock lock, String state) {
		this.dynamoDb.updateItem((update) -> update.tableName(this.orders)
			.key(Map.of("key", string("order-1")))
			.updateExpression("SET orderState = :state, lockToken = :mine")
			.conditionExpression("attribute_not_exists(lockToken) OR lockToken <= :mine")
			.expressionAttributeValues(Map.of(":state", string(state), ":mine", number(lock.fencingToken()))));
	}

	@Test
	void aRowThatKeepsTheGreatestTokenRefusesAFormerOwner() throws InterruptedException, SQLException {
		try (Connection database = DriverManager.getConnection("jdbc:h2:mem:")) {
			database.createStatement()
				.execute("CREATE TABLE orders (id VARCHAR PRIMARY KEY, state VARCHAR, lock_token BIGINT NOT NULL)");
			database.createStatement().execute("INSERT INTO orders VALUES ('order-1', 'new', 0)");
			HeldLock lock = this.one.acquire(LockRequest.of("order-1").automaticRenewal(false));
			assertThat(updateWithTheToken(database, lock, "packed")).isOne();

			HeldLock next = takeOver();
			assertThat(updateWithTheToken(database, next, "sent")).isOne();
			assertThat(updateWithTheToken(database, lock, "lost")).isZero();
			ResultSet row = database.createStatement().executeQuery("SELECT state FROM orders");
			assertThat(row.next()).isTrue();
			assertThat(row.getString("state")).isEqualTo("sent");
		}
	}

	private static int updateWithTheToken(Connection database, HeldLock lock, String state) throws SQLException {
		try (PreparedStatement update = database.prepareStatement("""
				UPDATE orders SET state = ?, lock_token = ? WHERE id = ? AND lock_token <= ?
				""")) {
			update.setString(1, state);
			update.setLong(2, lock.fencingToken());
			update.setString(3, "order-1");
			update.setLong(4, lock.fencingToken());
			return update.executeUpdate();
		}
	}

	@Test
	void whatTheGuideShowsIsWhatTestsRun() throws IOException {
		Path root = RepositoryFiles.root();
		StringBuilder tests = new StringBuilder();
		for (String test : TESTS_OF_THE_GUIDE) {
			tests.append(squeezed(Files.readString(root.resolve(test))));
		}
		List<String> examples = Pattern.compile("(?ms)^```java\n(.*?)^```")
			.matcher(Files.readString(root.resolve("docs/guarding.md")))
			.results()
			.map((match) -> squeezed(match.group(1)))
			.toList();
		assertThat(examples).hasSize(10).allSatisfy((example) -> assertThat(tests).contains(example));
	}

	/** Without spaces, and without what only a test's fields need. */
	private static String squeezed(String text) {
		return text.replaceAll("\\s+", "").replace("this.", "");
	}

	private Map<String, AttributeValue> order() {
		return this.dynamoDb
			.getItem((get) -> get.tableName(this.orders).key(Map.of("key", string("order-1"))).consistentRead(true))
			.item();
	}

	private static AttributeValue string(String value) {
		return AttributeValue.fromS(value);
	}

	private static AttributeValue number(long value) {
		return AttributeValue.fromN(Long.toString(value));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RunTablesTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final DynamoDbClient plain = LocalRun.target().newClient();

	private final RunContext context = LocalRun.context();

	private final RunTables tables = this.context.tables();

	@AfterEach
	void close() {
		this.tables.delete(this.plain, SOON);
		this.plain.close();
	}

	@Test
	void everyRunHasNamesThatNoOtherRunHas() {
		String name = this.tables.name("latency");
		assertThat(name).matches("dynamodb-lock-check-[0-9a-f]{16}-latency")
			.isNotEqualTo(new RunTables().name("latency"));
		assertThat(RunTables.run(name)).isEqualTo(this.tables.run());
		assertThat(RunTables.run("dynamodb-lock-check-mine")).isNull();
		assertThat(RunTables.run("locks")).isNull();
	}

	@Test
	void aCreatedTableIsTaggedWithTheRun() {
		AtomicReference<SdkRequest> sent = new AtomicReference<>();
		ExecutionInterceptor last = new ExecutionInterceptor() {
			@Override
			public void beforeTransmission(Context.BeforeTransmission transmission, ExecutionAttributes attributes) {
				sent.set(transmission.request());
			}
		};
		try (DynamoDbClient dynamoDb = this.context.newClient(last)) {
			create(dynamoDb, this.tables.name("tagged"));
		}
		assertThat(((CreateTableRequest) sent.get()).tags()).singleElement()
			.matches((tag) -> tag.key().equals("dynamodb-lock-check") && tag.value().equals(this.tables.run()));
	}

	@Test
	void tablesOfTheRunAreDeletedAndNoOthers() {
		RunTables another = new RunTables();
		String others = another.name("latency");
		create(this.plain, others);
		try (DynamoDbClient dynamoDb = this.context.newClient()) {
			create(dynamoDb, this.tables.name("one"));
			create(dynamoDb, this.tables.name("two"));
		}
		assertThat(LocalRun.tables(this.plain, this.tables)).hasSize(2);
		assertThat(this.tables.delete(this.plain, SOON)).isEmpty();
		assertThat(LocalRun.tables(this.plain, this.tables)).isEmpty();
		assertThat(LocalRun.tables(this.plain, another)).containsExactly(others);
		RunTables.delete(this.plain, List.of(others), Instant.now().plus(SOON));
	}

	@Test
	void callsForOtherTablesAreRejected() {
		try (DynamoDbClient dynamoDb = this.context.newClient()) {
			assertThatIllegalStateException().isThrownBy(() -> create(dynamoDb, "locks"))
				.withMessage("Table 'locks' is not one of this run");
			assertThatIllegalStateException()
				.isThrownBy(() -> dynamoDb.deleteTable((request) -> request.tableName("locks")));
			TransactWriteItem put = TransactWriteItem.builder()
				.put((item) -> item.tableName("orders").item(item()))
				.build();
			assertThatIllegalStateException()
				.isThrownBy(() -> dynamoDb.transactWriteItems((transaction) -> transaction.transactItems(put)))
				.withMessage("Table 'orders' is not one of this run");
		}
	}

	@Test
	void aTableWhoseCreationWasNotConfirmedIsDeleted() {
		ExecutionInterceptor losingResponses = new ExecutionInterceptor() {
			@Override
			public void afterTransmission(Context.AfterTransmission transmission, ExecutionAttributes attributes) {
				throw new IllegalStateException("lost");
			}
		};
		try (DynamoDbClient dynamoDb = this.context.newClient(losingResponses)) {
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> create(dynamoDb, this.tables.name("lost")));
		}
		assertThat(this.tables.created()).isEmpty();
		assertThat(LocalRun.tables(this.plain, this.tables)).hasSize(1);
		assertThat(this.tables.delete(this.plain, SOON)).isEmpty();
		assertThat(LocalRun.tables(this.plain, this.tables)).isEmpty();
	}

	@Test
	void afterTheDeletionNoTableIsCreated() {
		try (DynamoDbClient dynamoDb = this.context.newClient()) {
			create(dynamoDb, this.tables.name("one"));
			assertThatExceptionOfType(ResourceInUseException.class)
				.isThrownBy(() -> create(dynamoDb, this.tables.name("one")));
			assertThat(this.tables.delete(this.plain, SOON)).isEmpty();
			assertThatIllegalStateException().isThrownBy(() -> create(dynamoDb, this.tables.name("two")))
				.withMessageContaining("creates no more");
		}
		assertThat(LocalRun.tables(this.plain, this.tables)).isEmpty();
	}

	private static java.util.Map<String, AttributeValue> item() {
		return java.util.Map.of("key", AttributeValue.fromS("item"));
	}

	private static void create(DynamoDbClient dynamoDb, String name) {
		dynamoDb.createTable(RunTables.creation(name).billingMode(BillingMode.PAY_PER_REQUEST).build());
	}

}

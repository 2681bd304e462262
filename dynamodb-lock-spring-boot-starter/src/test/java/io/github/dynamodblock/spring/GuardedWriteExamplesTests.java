/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.Objects;
import java.util.UUID;

import io.awspring.cloud.autoconfigure.core.AwsAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.CredentialsProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.core.RegionProviderAutoConfiguration;
import io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration;
import io.awspring.cloud.dynamodb.DynamoDbTableNameResolver;
import io.awspring.cloud.dynamodb.DynamoDbTableSchemaResolver;
import io.awspring.cloud.dynamodb.DynamoDbTemplate;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The guarded writes of {@code docs/guarding.md} with the Enhanced Client and with Spring
 * Cloud AWS: a lock writes items of mapped classes, and refuses to after it was lost.
 */
@ExtendWith(DynamoDbExtension.class)
class GuardedWriteExamplesTests {

	@Test
	void aLockWritesItemsOfTheEnhancedClient(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			DynamoDbTable<Order> orders = context.getBean(DynamoDbEnhancedClient.class)
				.table("orders-" + UUID.randomUUID(), TableSchema.fromBean(Order.class));
			orders.createTable();
			LockClient client = context.getBean(LockClient.class);
			HeldLock lock = client.acquire("orders:42");
			write(lock, orders, Order.of("42", "packed"));
			assertThat(orders.getItem(Key.builder().partitionValue("42").build()).getState()).isEqualTo("packed");

			takeOver(context, dynamoDb);
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> write(lock, orders, Order.of("42", "lost")));
			assertThat(orders.getItem(Key.builder().partitionValue("42").build()).getState()).isEqualTo("packed");
		});
	}

	private static void write(HeldLock lock, DynamoDbTable<Order> orders, Order order) throws InterruptedException {
		lock.transactWrite(
				TransactWriteItemsEnhancedRequest.builder().addPutItem(orders, order).build().transactWriteItems());
	}

	@Test
	void anAnnotatedMethodWritesBesideTheTemplateOfSpringCloudAws(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run(orders((context, orders) -> {
			orders.ship("42");
			assertThat(orders.find("42").getState()).isEqualTo("shipped");
		}));
	}

	@Test
	void anAnnotatedMethodThatHasLostItsLockWritesNothing(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run(orders((context, orders) -> {
			context.getBean(Carrier.class).meanwhile = () -> takeOver(context, dynamoDb);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> orders.ship("42"));
			assertThat(orders.find("42").getState()).isEqualTo("packed");
		}));
	}

	/** As after a pause of the holder that is longer than its lease. */
	private static void takeOver(AssertableApplicationContext context, EmbeddedDynamoDb dynamoDb)
			throws InterruptedException {
		String table = context.getEnvironment().getRequiredProperty("dynamodb-lock.table.name");
		try (LockClient other = LockClient.builder(dynamoDb.client()).tableName(table).ownerName("other").build()) {
			other.find("orders:42").ifPresent((lock) -> other.forceRelease(lock.key(), lock.ownerName()));
			assertThat(other.tryAcquire("orders:42")).isPresent();
		}
	}

	private static ContextConsumer<AssertableApplicationContext> orders(Scenario scenario) {
		return (context) -> {
			DynamoDbTable<Order> table = context.getBean(DynamoDbEnhancedClient.class)
				.table(context.getBean(DynamoDbTableNameResolver.class).resolve(Order.class),
						TableSchema.fromBean(Order.class));
			table.createTable();
			Orders orders = context.getBean(Orders.class);
			orders.open(Order.of("42", "packed"));
			scenario.run(context, orders);
		};
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.bare()
			.withConfiguration(
					AutoConfigurations.of(AwsAutoConfiguration.class, CredentialsProviderAutoConfiguration.class,
							RegionProviderAutoConfiguration.class, DynamoDbAutoConfiguration.class))
			.withPropertyValues("dynamodb-lock.lease-duration=1m", "spring.cloud.aws.dynamodb.enabled=true",
					"spring.cloud.aws.region.static=eu-central-1", "spring.cloud.aws.endpoint=" + dynamoDb.endpoint(),
					"spring.cloud.aws.credentials.access-key=CLOUD", "spring.cloud.aws.credentials.secret-key=hush",
					"dynamodb-lock.table.create=if-missing",
					"spring.cloud.aws.dynamodb.table-prefix=" + UUID.randomUUID(),
					"dynamodb-lock.table.name=" + LockNode.newTableName())
			.withBean(Orders.class)
			.withBean(Carrier.class);
	}

	/** What a test does with the orders of a node. */
	private interface Scenario {

		void run(AssertableApplicationContext context, Orders orders) throws Exception;

	}

	/** What happens while a holder works. */
	private interface Meanwhile {

		void run() throws InterruptedException;

	}

	/** Reads without a lock by the template, and writes under the lock by the lock. */
	static class Orders {

		private final DynamoDbTemplate template;

		private final DynamoDbTable<Order> table;

		private final Carrier carrier;

		Orders(DynamoDbTemplate template, DynamoDbEnhancedClient enhancedClient, DynamoDbTableNameResolver names,
				DynamoDbTableSchemaResolver schemas, Carrier carrier) {
			this.template = template;
			this.table = enhancedClient.table(names.resolve(Order.class), schemas.resolve(Order.class));
			this.carrier = carrier;
		}

		void open(Order order) {
			this.template.save(order);
		}

		Order find(String id) {
			Key key = Key.builder().partitionValue(id).build();
			return Objects.requireNonNull(this.template.load(key, Order.class));
		}

		@DistributedLock(name = "orders", key = "#id")
		void ship(String id) throws InterruptedException {
			Key key = Key.builder().partitionValue(id).build();
			Order order = this.table.getItem((get) -> get.key(key).consistentRead(true));
			this.carrier.collect(order);
			order.setState("shipped");
			LockContext.current()
				.orElseThrow()
				.transactWrite(TransactWriteItemsEnhancedRequest.builder()
					.addPutItem(this.table, order)
					.build()
					.transactWriteItems());
		}

	}

	/** What takes time under the lock. */
	static class Carrier {

		private Meanwhile meanwhile = () -> {
		};

		void collect(Order order) throws InterruptedException {
			assertThat(order.getState()).isEqualTo("packed");
			this.meanwhile.run();
		}

	}

	/** An order. */
	@DynamoDbBean
	public static class Order {

		private String id = "";

		private String state = "";

		static Order of(String id, String state) {
			Order order = new Order();
			order.id = id;
			order.state = state;
			return order;
		}

		@DynamoDbPartitionKey
		public String getId() {
			return this.id;
		}

		public void setId(String id) {
			this.id = id;
		}

		public String getState() {
			return this.state;
		}

		public void setState(String state) {
			this.state = state;
		}

	}

}

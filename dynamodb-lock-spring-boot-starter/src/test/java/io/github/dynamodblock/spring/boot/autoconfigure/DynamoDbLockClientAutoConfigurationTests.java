/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class DynamoDbLockClientAutoConfigurationTests {

	@Test
	void makesALockClientFromTheApplicationsDynamoDbClient(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.owner-name=node-1", "dynamodb-lock.lease-duration=3s")
			.run((context) -> {
				assertThat(context).hasSingleBean(LockClient.class).hasSingleBean(DynamoDbClient.class);
				LockClient client = context.getBean(LockClient.class);
				assertThat(client.ownerName()).startsWith("node-1");
				try (HeldLock lock = client.acquire("orders-42")) {
					assertThat(lock.record().leaseDuration()).isEqualTo(Duration.ofSeconds(3));
				}
			});
	}

	@Test
	void defaultsAreThoseOfTheCore(EmbeddedDynamoDb dynamoDb) {
		LockNode.bare().withBean("dynamoDbClient", DynamoDbClient.class, () -> dynamoDb.newClient((client) -> {
		}))
			.withPropertyValues("dynamodb-lock.table.name=" + LockNode.newTableName(),
					"dynamodb-lock.table.create=if-missing")
			.run((context) -> {
				DynamoDbLockProperties properties = context.getBean(DynamoDbLockProperties.class);
				String table = properties.table().name();
				try (LockClient plain = LockClient.builder(dynamoDb.client()).tableName(table).build();
						HeldLock lock = plain.acquire("a")) {
					assertThat(lock.record().leaseDuration()).isEqualTo(properties.leaseDuration());
					assertThat(dynamoDb.client()
						.getItem((get) -> get.tableName(table)
							.key(Map.of(properties.table().partitionKeyName(), AttributeValue.fromS("a"))))
						.item()).containsKey(properties.table().timeToLiveAttributeName());
				}
			});
	}

	@Test
	void makesADynamoDbClientWhereTheApplicationHasNone(EmbeddedDynamoDb dynamoDb) {
		configured(dynamoDb)
			.run((context) -> assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent());
	}

	@Test
	void everythingIsClosedWithTheContext(EmbeddedDynamoDb dynamoDb) {
		LockClient[] lockClient = new LockClient[1];
		DynamoDbClient[] dynamoDbClient = new DynamoDbClient[1];
		String table = LockNode.newTableName();
		configured(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table).run((context) -> {
			lockClient[0] = context.getBean(LockClient.class);
			dynamoDbClient[0] = context.getBean(DynamoDbClient.class);
			lockClient[0].acquire("orders-42");
		});
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> lockClient[0].find("orders-42"));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> dynamoDbClient[0].listTables());
		try (LockClient other = LockClient.builder(dynamoDb.client()).tableName(table).build()) {
			assertThat(other.find("orders-42")).hasValueSatisfying(
					(record) -> assertThat(record.isReleased()).as("released before the DynamoDbClient was closed")
						.isTrue());
		}
	}

	@Test
	void makesNothingWhenSwitchedOff() {
		for (String off : new String[] { "false", "off", "no" }) {
			LockNode.bare()
				.withPropertyValues("dynamodb-lock.enabled=" + off)
				.run((context) -> assertThat(context).hasNotFailed()
					.doesNotHaveBean(LockClient.class)
					.doesNotHaveBean(DynamoDbClient.class));
		}
	}

	@Test
	void backsOffFromTheApplicationsLockClient() {
		LockClient own = Mockito.mock(LockClient.class);
		LockNode.bare()
			.withBean("myLocks", LockClient.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean(LockClient.class).isSameAs(own));
	}

	@Test
	void backsOffWithoutTheSdk() {
		LockNode.bare()
			.withClassLoader(new FilteredClassLoader(DynamoDbClient.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("dynamoDbLockClient"));
	}

	@Test
	void aMissingTableEndsTheStartAndTheMessageSaysHowToMakeIt(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.table.create=never", "dynamodb-lock.table.name=no-such-table")
			.run((context) -> assertThat(context).getFailure()
				.satisfies((failure) -> assertThat(failure).hasStackTraceContaining("no-such-table")
					.hasStackTraceContaining("dynamodb-lock.table.create=if-missing")
					.hasStackTraceContaining("aws dynamodb create-table")));
	}

	@Test
	void aTableIsCheckedWhileTheContextStartsAndAwaitedBeforeItHasStarted(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		CountDownLatch madeTheBeans = new CountDownLatch(1);
		CallRecorder calls = new CallRecorder();
		calls.deny((request) -> request instanceof DescribeTableRequest && !awaited(madeTheBeans));
		LockNode.of(dynamoDb, calls::attach)
			.withPropertyValues("dynamodb-lock.table.name=" + table, "dynamodb-lock.table.create=never")
			.withBean("last", SmartInitializingSingleton.class, () -> madeTheBeans::countDown)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(calls.calls()).contains("DescribeTableRequest", "DescribeTimeToLiveRequest");
			});
	}

	@Test
	void aLockClientThatIsMadeAfterTheStartChecksItsTableFirst(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.withPropertyValues("dynamodb-lock.table.create=never", "dynamodb-lock.table.name=no-such-table")
			.run((context) -> assertThatException().isThrownBy(() -> context.getBean(LockClient.class))
				.satisfies((failure) -> assertThat(failure).hasStackTraceContaining("no-such-table")));
	}

	@Test
	void aTableIsNotMadeUnlessAskedFor(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.table.create=", "dynamodb-lock.table.name=no-such-table")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void aTableWithAnotherKeyEndsTheStart(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		dynamoDb.client()
			.createTable((create) -> create.tableName(table)
				.attributeDefinitions(
						AttributeDefinition.builder().attributeName("id").attributeType(ScalarAttributeType.N).build())
				.keySchema(KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
				.billingMode(BillingMode.PAY_PER_REQUEST));
		for (String create : new String[] { "never", "if-missing" }) {
			LockNode.of(dynamoDb)
				.withPropertyValues("dynamodb-lock.table.name=" + table, "dynamodb-lock.table.create=" + create)
				.run((context) -> assertThat(context).getFailure()
					.hasStackTraceContaining("partition key 'id' (N)")
					.hasStackTraceContaining("dynamodb-lock.table.partition-key-name"));
		}
	}

	@Test
	void anUnreachableEndpointEndsTheStart() {
		LockNode.bare()
			.withPropertyValues("dynamodb-lock.dynamodb.region=local",
					"dynamodb-lock.dynamodb.endpoint=http://localhost:1")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("http://localhost:1")
				.hasStackTraceContaining("did not reach DynamoDB")
				.hasStackTraceContaining("created from dynamodb-lock.dynamodb.*"));
	}

	@Test
	void missingCredentialsEndTheStart(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb, (client) -> client.credentialsProvider(NoCredentials.chain()))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("the SDK found no AWS credentials")
				.hasStackTraceContaining("The DynamoDbClient is the bean 'dynamoDbClient'"));
	}

	@Test
	void aMissingRegionEndsTheStart() {
		LockNode.bare()
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("no AWS region is configured: dynamodb-lock.dynamodb.region is not set"));
	}

	@Test
	void withoutTheTableCheckNothingIsSentAtStartupAndLocksWork(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		String table = LockNode.newTableName();
		LockNode.of(dynamoDb, calls::attach)
			.withPropertyValues("dynamodb-lock.table.name=" + table, "dynamodb-lock.table.create=never",
					"dynamodb-lock.table.check=false")
			.run((context) -> {
				assertThat(context).as("the table does not exist yet").hasNotFailed();
				assertThat(calls.calls()).isEmpty();
				LockTable.of(dynamoDb.client(), table).createIfMissing();
				assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
				assertThat(calls.calls()).isNotEmpty().doesNotContain("DescribeTableRequest");
			});
	}

	@Test
	void aTableIsCreatedAlsoWithoutTheTableCheck(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.table.check=false")
			.run((context) -> assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent());
	}

	@Test
	void aRoleThatMayNotDescribeTheTableGetsAWarningOnly(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		String table = LockNode.newTableName();
		LockNode.of(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table).run((context) -> {
			calls.deny(DescribeTableRequest.class::isInstance);
			LockNode.of(dynamoDb, calls::attach)
				.withPropertyValues("dynamodb-lock.table.name=" + table, "dynamodb-lock.table.create=never")
				.run((restricted) -> {
					assertThat(restricted.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
					assertThat(log).contains("The lock table was not checked").contains("dynamodb:DescribeTable");
				});
		});
	}

	@Test
	void aRoleThatMayNotDescribeTimeToLiveGetsAWarningOnly(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		String table = LockNode.newTableName();
		LockNode.of(dynamoDb).withPropertyValues("dynamodb-lock.table.name=" + table).run((context) -> {
			calls.deny(DescribeTimeToLiveRequest.class::isInstance);
			LockNode.of(dynamoDb, calls::attach)
				.withPropertyValues("dynamodb-lock.table.name=" + table, "dynamodb-lock.table.create=never")
				.run((restricted) -> {
					assertThat(restricted.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
					assertThat(log).contains("WARN")
						.contains("The lock table was not checked")
						.contains("dynamodb:DescribeTimeToLive");
				});
		});
	}

	@Test
	void timeLimitsAreSetPerRequestAndNotOnTheApplicationsClient(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		LockNode.of(dynamoDb, calls::attach).run((context) -> {
			context.getBean(LockClient.class).acquire("orders-42").release();
			assertThat(calls.timeLimits()).isNotEmpty().allSatisfy((limit) -> assertThat(limit).isPresent());
			assertThat(context.getBean(DynamoDbClient.class)
				.serviceClientConfiguration()
				.overrideConfiguration()
				.apiCallTimeout()).isEmpty();
		});
	}

	@Test
	void aFurtherClientIsBuiltWithThePropertiesListenersAndCustomizersOfTheDefaultOne(EmbeddedDynamoDb dynamoDb) {
		List<String> acquired = new CopyOnWriteArrayList<>();
		LockClient[] reports = new LockClient[1];
		LockNode.of(dynamoDb)
			.withUserConfiguration(Reports.class)
			.withPropertyValues("dynamodb-lock.owner-name=by-property", "dynamodb-lock.key-prefix=shop#")
			.withBean("one", LockListener.class, () -> listener(acquired, "one"))
			.run((context) -> {
				reports[0] = context.getBean("reports", LockClient.class);
				assertThat(context.getBean(LockClient.class)).as("what others are injected").isNotSameAs(reports[0]);
				assertThat(reports[0].ownerName()).startsWith("by-property");
				context.getBean(Reports.Monthly.class).run();
				assertThat(context.getBean(LockClient.class).find("shop#monthly")).isEmpty();
				assertThat(reports[0].find("shop#monthly")).hasValueSatisfying(
						(record) -> assertThat(record.leaseDuration()).isEqualTo(Duration.ofSeconds(7)));
				Awaitility.await().untilAsserted(() -> assertThat(acquired).containsExactly("one"));
			});
		assertThatExceptionOfType(LockClientClosedException.class).isThrownBy(() -> reports[0].find("k"));
	}

	@Test
	void everyLockListenerIsToldAndEveryCustomizerIsAppliedLast(EmbeddedDynamoDb dynamoDb) {
		List<String> acquired = new CopyOnWriteArrayList<>();
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.owner-name=by-property")
			.withBean("one", LockListener.class, () -> listener(acquired, "one"))
			.withBean("two", LockListener.class, () -> listener(acquired, "two"))
			.withBean(LockClientBuilderCustomizer.class, () -> (builder) -> builder.ownerName("by-customizer"))
			.run((context) -> {
				LockClient client = context.getBean(LockClient.class);
				assertThat(client.ownerName()).startsWith("by-customizer");
				client.acquire("orders-42");
				Awaitility.await().untilAsserted(() -> assertThat(acquired).containsExactlyInAnyOrder("one", "two"));
			});
	}

	@Test
	void aCustomizerThatLeavesAnUnfitBuilderIsNamed(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean(LockClientBuilderCustomizer.class,
					() -> (builder) -> builder.heartbeatPeriod(Duration.ofSeconds(3)))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("No lock client can be built with the options that the customizers")
				.hasStackTraceContaining("heartbeatPeriod is 3 s"));
	}

	@Test
	void aTableWithASortKeyHoldsTheLocksOfAnnotatedMethods(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean(Accounts.class)
			.withPropertyValues("dynamodb-lock.table.partition-key-name=pk", "dynamodb-lock.table.sort-key-name=sk",
					"dynamodb-lock.key-prefix=LOCK#")
			.run((context) -> {
				context.getBean(Accounts.class).book();
				assertThat(context.getBean(LockClient.class).find(LockKey.of("LOCK#accounts", "lock"))).isPresent();
			});
	}

	@Test
	void lockClientAndDynamoDbClientAreOrdinaryBeans(EmbeddedDynamoDb dynamoDb) {
		AtomicBoolean processed = new AtomicBoolean();
		LockNode.of(dynamoDb)
			.withBean(Accounts.class)
			.withBean("processor", BeanPostProcessor.class, () -> new BeanPostProcessor() {
				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					if (bean instanceof LockClient) {
						processed.set(true);
					}
					return bean;
				}
			})
			.run((context) -> assertThat(processed).as("seen by a BeanPostProcessor without order").isTrue());
	}

	private static boolean awaited(CountDownLatch latch) {
		try {
			return latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static LockListener listener(List<String> acquired, String name) {
		return new LockListener() {
			@Override
			public void onAcquired(HeldLock lock) {
				acquired.add(name);
			}
		};
	}

	private static ApplicationContextRunner configured(EmbeddedDynamoDb dynamoDb) {
		return LockNode.bare()
			.withPropertyValues("dynamodb-lock.dynamodb.region=local",
					"dynamodb-lock.dynamodb.endpoint=" + dynamoDb.endpoint(), "dynamodb-lock.table.create=if-missing",
					"dynamodb-lock.table.name=" + LockNode.newTableName());
	}

	@Configuration(proxyBeanMethods = false)
	static class Reports {

		@Bean(defaultCandidate = false)
		LockClient reports(LockClientBuilder builder) {
			return builder.namespace("reports").leaseDuration(Duration.ofSeconds(7)).build();
		}

		@Bean
		Monthly monthly() {
			return new Monthly();
		}

		static class Monthly {

			@DistributedLock(name = "monthly", lockClient = "reports")
			void run() {
			}

		}

	}

	static class Accounts {

		@DistributedLock("accounts")
		void book() {
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.LockTemplate;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.config.BeanDefinitionCustomizer;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(DynamoDbExtension.class)
class DynamoDbLockRegistryAutoConfigurationTests {

	@Test
	void aRegistryLocksInTheLockTableUnderAPrefixOfItsOwn(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			context.getBean(DynamoDbLockRegistry.class)
				.executeLocked("orders",
						() -> assertThat(client.find("registry:orders")).get()
							.extracting(LockRecord::leaseDuration)
							.isEqualTo(Duration.ofSeconds(4)));
			assertThat(client.find("registry:orders")).isEmpty();
		});
	}

	@Test
	void everyPropertyReachesTheRegistry(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("dynamodb-lock.key-prefix=app-", "dynamodb-lock.table.sort-key-name=sort",
					"dynamodb-lock.table.sort-key-value=s", "dynamodb-lock.registry.key-prefix=flows-",
					"dynamodb-lock.registry.lease-duration=3s", "dynamodb-lock.registry.delete-on-release=false")
			.run((context) -> {
				LockClient client = context.getBean(LockClient.class);
				LockKey key = new LockKey("app-flows-orders", "s");
				DynamoDbLockRegistry registry = context.getBean(DynamoDbLockRegistry.class);
				registry.executeLocked("orders",
						() -> assertThat(client.find(key)).get()
							.extracting(LockRecord::leaseDuration)
							.isEqualTo(Duration.ofSeconds(3)));
				assertThat(client.find(key)).get().extracting(LockRecord::isReleased).isEqualTo(true);
			});
	}

	@Test
	void withAnEmptyPrefixLocksAreThoseOfTemplates(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.key-prefix=app-", "dynamodb-lock.registry.key-prefix=")
			.run((context) -> {
				LockTemplate template = context.getBean(LockTemplate.class);
				context.getBean(DynamoDbLockRegistry.class)
					.executeLocked("orders", () -> assertThat(template.executeIfFreeWithoutResult("orders", (held) -> {
					})).isFalse());
			});
	}

	@Test
	void withAnEmptyPrefixARegistryLockInsideATemplatesIsRefusedInsteadOfWaitedFor(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		node(dynamoDb, calls)
			.withPropertyValues("dynamodb-lock.registry.key-prefix=", "dynamodb-lock.lease-duration=1m")
			.run((context) -> {
				DistributedLock lock = context.getBean(DynamoDbLockRegistry.class).obtain("orders");
				DistributedLock other = context.getBean(DynamoDbLockRegistry.class).obtain("invoices");
				context.getBean(LockTemplate.class).executeWithoutResult("orders", (held) -> {
					calls.clear();
					for (ThrowingCallable way : waysToLock(lock)) {
						assertThatIllegalStateException().isThrownBy(way)
							.withMessageContaining("Lock 'orders' cannot be acquired through the registry")
							.withMessageContaining("dynamodb-lock.registry.key-prefix");
					}
					assertThat(calls.calls()).isEmpty();
					assertThat(other.tryLock()).isTrue();
					other.unlock();
				});
				assertThat(lock.tryLock()).isTrue();
				lock.unlock();
			});
	}

	private static List<ThrowingCallable> waysToLock(DistributedLock lock) {
		return List.of(lock::tryLock, lock::lock, lock::lockInterruptibly, () -> lock.tryLock(1, TimeUnit.MINUTES),
				() -> lock.lock(Duration.ofMinutes(1)),
				() -> lock.tryLock(Duration.ofMinutes(1), Duration.ofMinutes(1)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			lease-duration=50ms | must be from 100 ms to 365 days
			lease-duration=366d | must be from 100 ms to 365 days
			""")
	void aRefusedValueNamesItsProperty(String property, String reason, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.registry." + property)
			.run((context) -> assertRefusal(context.getStartupFailure(),
					"dynamodb-lock.registry." + property.substring(0, property.indexOf('=')), reason));
	}

	@Test
	void aPrefixThatLeavesNoRoomForAKeyIsRefused(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.registry.key-prefix=" + "a".repeat(2048))
			.run((context) -> assertRefusal(context.getStartupFailure(), "dynamodb-lock.registry.key-prefix", "2048"));
	}

	@Test
	void isAbsentWhereItOrAllLocksAreSwitchedOff(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.registry.enabled=on", "dynamodb-lock.enabled=on")
			.run((context) -> assertThat(context).hasSingleBean(LockRegistry.class));
		for (String property : List.of("dynamodb-lock.registry.enabled=off", "dynamodb-lock.enabled=false")) {
			node(dynamoDb).withPropertyValues(property)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
		}
	}

	@Test
	void backsOffFromAnyRegistryOfTheApplication(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withBean("own", DefaultLockRegistry.class, DefaultLockRegistry::new)
			.run((context) -> assertThat(context).getBeanNames(LockRegistry.class).containsExactly("own"));
	}

	@Test
	void ofSeveralClientsThePrimaryOneIsUsed(EmbeddedDynamoDb dynamoDb) {
		BeanDefinitionCustomizer primary = (definition) -> definition.setPrimary(true);
		severalClients(dynamoDb, primary).run((context) -> {
			DynamoDbLockRegistry registry = context.getBean(DynamoDbLockRegistry.class);
			registry.executeLocked("orders",
					() -> assertThat(context.getBean("one", LockClient.class).held()).hasSize(1));
		});
	}

	@Test
	void whereNoClientIsTheDefaultThereIsNoRegistry(EmbeddedDynamoDb dynamoDb) {
		severalClients(dynamoDb, (definition) -> {
		}).run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
	}

	@Test
	void besideAdditionalClientsTheDefaultOneIsUsed(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withBean("reports", LockClient.class, () -> client(dynamoDb), additional()).run((context) -> {
			DynamoDbLockRegistry registry = context.getBean(DynamoDbLockRegistry.class);
			registry.executeLocked("orders", () -> {
				assertThat(context.getBean("reports", LockClient.class).held()).isEmpty();
				assertThat(context.getBean(LockClient.class).holds(LockKey.of("registry:orders"))).isTrue();
			});
		});
	}

	@Test
	void isThereBesideSpringIntegrationsOwnBeans(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withConfiguration(
					AutoConfigurations.of(TaskSchedulingAutoConfiguration.class, IntegrationAutoConfiguration.class))
			.run((context) -> {
				assertThat(context).hasNotFailed().hasBean("errorChannel");
				assertThat(context).getBean(LockRegistry.class).isInstanceOf(DynamoDbLockRegistry.class);
			});
	}

	private static void assertRefusal(@Nullable Throwable failure, String property, String reason) {
		assertThat(failure).isNotNull();
		assertThat(failure).rootCause()
			.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (refused) -> {
				assertThat(refused.getName()).isEqualTo(property);
				assertThat(refused.getReason()).contains(reason);
			});
	}

	private static ApplicationContextRunner severalClients(EmbeddedDynamoDb dynamoDb,
			BeanDefinitionCustomizer customizer) {
		ApplicationContextRunner node = node(dynamoDb);
		return node.withBean("one", LockClient.class, () -> client(dynamoDb), customizer)
			.withBean("two", LockClient.class, () -> client(dynamoDb));
	}

	private static BeanDefinitionCustomizer additional() {
		return (definition) -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false);
	}

	private static LockClient client(EmbeddedDynamoDb dynamoDb) {
		String table = LockNode.newTableName();
		LockTable.of(dynamoDb.client(), table).createIfMissing();
		return LockClient.builder(dynamoDb.client()).tableName(table).build();
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return node(dynamoDb, new CallRecorder());
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, CallRecorder calls) {
		return LockNode.of(dynamoDb, calls::attach)
			.withConfiguration(AutoConfigurations.of(DynamoDbLockRegistryAutoConfiguration.class));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.dax.ClusterDaxClient;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(DynamoDbExtension.class)
class DynamoDbClientSelectionTests {

	@Test
	void usesThePrimaryOfSeveralDynamoDbClients(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(Primaries.class)
			.run((context) -> assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent());
	}

	@Test
	void aQualifiedDynamoDbClientGoesBeforeThePrimary(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(Qualified.class).run((context) -> {
			assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
			assertThat(context.getBean(DynamoDbClient.class)).as("what others are injected")
				.isSameAs(context.getBean("application"));
			assertThat(context.getBean(Injected.class).client()).isSameAs(context.getBean("locks"));
		});
	}

	@Test
	void aQualifiedDynamoDbClientIsEnoughAlone(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(QualifiedAlone.class)
			.run((context) -> assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent());
	}

	@Test
	void severalQualifiedDynamoDbClientsAreRefusedByName(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withUserConfiguration(QualifiedAlone.class, QualifiedToo.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("several DynamoDbClient beans [only, another]"));
	}

	@Test
	void severalDynamoDbClientsWithoutAPrimaryAreRefusedByName(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withBean("archive", DynamoDbClient.class, () -> another(dynamoDb))
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"There are several DynamoDbClient beans [dynamoDbClient, archive], and it is not clear")
				.hasStackTraceContaining(
						"Mark exactly one with @LockDynamoDbClient or, if none has that annotation, with @Primary"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "region=eu-west-1", "endpoint=http://localhost:1" })
	void clientPropertiesBesideAClientBeanAreRefused(String property, EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb)
			.withPropertyValues("dynamodb-lock.dynamodb." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("dynamodb-lock.dynamodb.*", "'dynamoDbClient'",
						"Configure that bean, or remove the properties"));
	}

	@Test
	void aClientThatAnswersFromACacheIsRefused(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withBean("dax", DynamoDbClient.class, ClusterDaxClient::new)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("The DynamoDbClient bean 'dax' is a client of DynamoDB Accelerator")
				.hasStackTraceContaining("answers reads from a cache")
				.hasStackTraceContaining("@LockDynamoDbClient"));
	}

	@Test
	void anApplicationWithoutADynamoDbClientIsInjectedTheOneOfTheLocks(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb)
			.withPropertyValues("dynamodb-lock.dynamodb.region=local",
					"dynamodb-lock.dynamodb.endpoint=" + dynamoDb.endpoint())
			.withBean(Injected.class)
			.run((context) -> {
				assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
				assertThat(context.getBean(Injected.class).client())
					.isSameAs(context.getBean(SelectedDynamoDbClient.OWN));
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { OtherClientAutoConfiguration.class, Always.class })
	void aClientOfALaterAutoConfigurationIsUsedAndInjected(Class<?> later, EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withConfiguration(AutoConfigurations.of(later)).withBean(Injected.class).run((context) -> {
			assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent();
			assertThat(context.getBean(Injected.class).client()).isSameAs(context.getBean("later"));
		});
	}

	@Test
	void theTableOfATestsDynamoDbIsCreatedUnasked(EmbeddedDynamoDb dynamoDb) {
		for (String bean : List.of("embeddedDynamoDbClient", "connectionDynamoDbClient")) {
			LockNode.bare()
				.withBean(bean, DynamoDbClient.class, () -> another(dynamoDb))
				.withPropertyValues("dynamodb-lock.table.name=" + LockNode.newTableName(),
						"dynamodb-lock.dynamodb.region=eu-west-1")
				.run((context) -> assertThat(context.getBean(LockClient.class).tryAcquire("orders-42")).isPresent());
		}
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.bare()
			.withBean(EmbeddedDynamoDb.class, () -> dynamoDb, (definition) -> definition.setDestroyMethodName(""))
			.withPropertyValues("dynamodb-lock.table.create=if-missing",
					"dynamodb-lock.table.name=" + LockNode.newTableName());
	}

	static DynamoDbClient another(EmbeddedDynamoDb dynamoDb) {
		return dynamoDb.newClient(new CallRecorder()::attach);
	}

	record Injected(DynamoDbClient client) {
	}

	@AutoConfiguration(after = DynamoDbLockFallbackClientAutoConfiguration.class)
	static class Always {

		@Bean
		DynamoDbClient later(EmbeddedDynamoDb dynamoDb) {
			return another(dynamoDb);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Primaries {

		@Bean
		@Primary
		DynamoDbClient locks(EmbeddedDynamoDb dynamoDb) {
			return another(dynamoDb);
		}

		@Bean
		DynamoDbClient archive() {
			return Mockito.mock(DynamoDbClient.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Qualified {

		@Bean
		@Primary
		DynamoDbClient application() {
			return Mockito.mock(DynamoDbClient.class);
		}

		@Bean(defaultCandidate = false)
		@LockDynamoDbClient
		DynamoDbClient locks(EmbeddedDynamoDb dynamoDb) {
			return another(dynamoDb);
		}

		@Bean
		Injected injected(@LockDynamoDbClient DynamoDbClient client) {
			return new Injected(client);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class QualifiedAlone {

		@Bean(defaultCandidate = false)
		@LockDynamoDbClient
		DynamoDbClient only(EmbeddedDynamoDb dynamoDb) {
			return another(dynamoDb);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class QualifiedToo {

		@Bean
		@LockDynamoDbClient
		DynamoDbClient another() {
			return Mockito.mock(DynamoDbClient.class);
		}

	}

}

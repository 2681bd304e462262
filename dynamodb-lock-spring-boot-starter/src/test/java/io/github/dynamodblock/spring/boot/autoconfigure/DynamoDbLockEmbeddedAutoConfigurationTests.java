/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(CapturedLogExtension.class)
class DynamoDbLockEmbeddedAutoConfigurationTests {

	private static final String ENABLED = "dynamodb-lock.embedded.enabled=true";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DynamoDbLockEmbeddedAutoConfiguration.class));

	private final ApplicationContextRunner local = this.runner.withPropertyValues(ENABLED);

	private final ApplicationContextRunner inMemory = this.local
		.withClassLoader(new FilteredClassLoader("software.amazon.dynamodb.services.local.server"));

	@Test
	void nothingIsEmbeddedUnlessEnabled() {
		this.runner.run(this::hasNoClient);
	}

	@Test
	void tablesAreInMemoryWithoutDynamoDbLocal(CapturedLog log) {
		this.inMemory.run((context) -> {
			assertThat(context.getBean(DynamoDbClient.class)).isInstanceOf(InMemoryDynamoDb.class)
				.isSameAs(context.getBean("embeddedDynamoDbClient"));
			assertThat(context).doesNotHaveBean(EmbeddedDynamoDb.class);
		});
		assertThat(log).contains("WARN").contains("Locks exclude no other application context or process");
	}

	@Test
	void anApplicationLocksInMemoryWhateverItConfigures() {
		LockNode.bare()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockEmbeddedAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("software.amazon.dynamodb.services.local.server"))
			.withPropertyValues(ENABLED, "dynamodb-lock.dynamodb.endpoint=http://dynamodb.example",
					"dynamodb-lock.dynamodb.region=eu-west-1")
			.run((context) -> assertThat(context.getBean(LockClient.class).tryAcquire("report")).isPresent());
	}

	@Test
	void nothingIsCreatedOrWarnedOfUntilItIsUsed(CapturedLog log) {
		this.inMemory.run((context) -> assertThat(context.getBeanDefinitionNames()).contains("embeddedDynamoDbClient"));
		assertThat(log.toString()).doesNotContain("Locks exclude no other application context or process");
	}

	@Test
	void dynamoDbLocalRunsIfItIsOnTheClassPath(CapturedLog log) {
		this.local.run((context) -> {
			assertThat(context).hasSingleBean(EmbeddedDynamoDb.class).hasBean("embeddedDynamoDb");
			assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("embeddedDynamoDbClient");
			assertThat(context.getBean(DynamoDbClient.class).listTables().tableNames()).isEmpty();
			URI endpoint = context.getBean(EmbeddedDynamoDb.class).endpoint();
			assertThat(log).contains("Locks exclude no other application context or process")
				.contains(endpoint.toString());
		});
	}

	@Test
	void itsDatabaseIsClosedWithTheContext() {
		this.local.run((context) -> {
			DynamoDbClient client = context.getBean(DynamoDbClient.class);
			context.close();
			assertThatIllegalStateException().isThrownBy(client::listTables).withMessageContaining("shut down");
		});
	}

	@Test
	void contextsShareOneServerAndHaveTheirOwnTables() {
		this.local.run((one) -> this.local.withPropertyValues("another=property").run((other) -> {
			assertThat(one.getBean(EmbeddedDynamoDb.class).endpoint())
				.isEqualTo(other.getBean(EmbeddedDynamoDb.class).endpoint());
			one.getBean(DynamoDbClient.class)
				.createTable((table) -> table.tableName("locks")
					.billingMode(BillingMode.PAY_PER_REQUEST)
					.keySchema(KeySchemaElement.builder().attributeName("key").keyType(KeyType.HASH).build())
					.attributeDefinitions(AttributeDefinition.builder()
						.attributeName("key")
						.attributeType(ScalarAttributeType.S)
						.build()));
			assertThat(other.getBean(DynamoDbClient.class).listTables().tableNames()).isEmpty();
			other.close();
			assertThat(one.getBean(DynamoDbClient.class).listTables().tableNames()).containsExactly("locks");
		}));
	}

	@Test
	void backsOffFromTheApplicationsOwnClient() {
		this.local.withUserConfiguration(OwnClient.class).run((context) -> {
			assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("ownClient");
			assertThat(context).doesNotHaveBean(EmbeddedDynamoDb.class);
		});
	}

	@Test
	void theApplicationsClientForLocksIsUsedInItsPlace(CapturedLog log) {
		DynamoDbClient locks = InMemoryDynamoDb.withLockTable("locks");
		LockNode.bare()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockEmbeddedAutoConfiguration.class))
			.withPropertyValues(ENABLED)
			.withBean(ClientForLocks.class, () -> new ClientForLocks(locks))
			.run((context) -> {
				assertThat(context.getBean(LockClient.class).tryAcquire("report")).isPresent();
				assertThat(locks.scan((scan) -> scan.tableName("locks")).count()).isEqualTo(1);
			});
		assertThat(log.toString()).doesNotContain("Locks exclude no other application context or process");
	}

	@Test
	void anApplicationWhoseOwnClientIsUsedIsWarned(CapturedLog log) {
		LockNode.bare()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockEmbeddedAutoConfiguration.class))
			.withPropertyValues(ENABLED)
			.withBean("ownClient", DynamoDbClient.class, () -> InMemoryDynamoDb.withLockTable("locks"))
			.run((context) -> assertThat(context.getBean(LockClient.class).tryAcquire("report")).isPresent());
		assertThat(log).contains(
				"dynamodb-lock.embedded.enabled has no effect: locks use the DynamoDbClient bean " + "'ownClient'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.embedded.enabled", "dynamodb-lock.enabled" })
	void isSwitchedOffByEitherProperty(String property) {
		for (String off : new String[] { "false", "off", "no", "0" }) {
			this.inMemory.withPropertyValues(property + "=" + off).run(this::hasNoClient);
		}
		for (String on : new String[] { "true", "on", "yes", "1" }) {
			this.inMemory.withPropertyValues(property + "=" + on)
				.run((context) -> assertThat(context).hasSingleBean(DynamoDbClient.class));
		}
	}

	@Test
	void withoutTheTestModuleAnApplicationThatEnablesItFailsAndSaysWhatToAdd() {
		LockNode.bare()
			.withConfiguration(AutoConfigurations.of(DynamoDbLockEmbeddedAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader("io.github.dynamodblock.test"))
			.withPropertyValues(ENABLED, "dynamodb-lock.dynamodb.region=eu-west-1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("dynamodb-lock.embedded.enabled is true")
				.hasMessageContaining("dynamodb-lock-test is not on the class path"));
	}

	@Test
	void aForgottenContextIsClosedWhileTheServerStillAnswers() throws Exception {
		List<String> output = run(ForgetfulSpringApplication.class);
		assertThat(output).containsSubsequence("main returns", "tables at the end: []");
	}

	/** What a JVM of its own prints until it ends. */
	private static List<String> run(Class<?> main) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				main.getName())
			.redirectErrorStream(true)
			.start();
		try {
			List<String> output = process.inputReader(StandardCharsets.UTF_8).lines().toList();
			assertThat(process.waitFor()).as(String.join("\n", output)).isZero();
			return output;
		}
		finally {
			process.destroyForcibly();
		}
	}

	private void hasNoClient(ApplicationContext context) {
		assertThat(context.getBeansOfType(EmbeddedDynamoDb.class)).isEmpty();
		assertThat(context.getBeansOfType(DynamoDbClient.class)).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnClient {

		@Bean
		DynamoDbClient ownClient() {
			return DynamoDbClient.builder()
				.endpointOverride(URI.create("http://dynamodb.example"))
				.region(Region.EU_CENTRAL_1)
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClientForLocks {

		private final DynamoDbClient client;

		ClientForLocks(DynamoDbClient client) {
			this.client = client;
		}

		@Bean(defaultCandidate = false)
		@LockDynamoDbClient
		DynamoDbClient clientForLocks() {
			return this.client;
		}

	}

}

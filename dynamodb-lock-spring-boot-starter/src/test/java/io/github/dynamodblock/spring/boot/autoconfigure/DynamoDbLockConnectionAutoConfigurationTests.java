/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DynamoDbLockConnectionAutoConfigurationTests {

	@SuppressWarnings("NullAway.Init")
	private static EmbeddedDynamoDb dynamoDb;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DynamoDbLockConnectionAutoConfiguration.class,
				DynamoDbLockEmbeddedAutoConfiguration.class, DynamoDbLockFallbackClientAutoConfiguration.class))
		.withPropertyValues("dynamodb-lock.embedded.enabled=true");

	@BeforeAll
	static void startDynamoDb() {
		dynamoDb = EmbeddedDynamoDb.start();
	}

	@AfterAll
	static void stopDynamoDb() {
		dynamoDb.close();
	}

	@Test
	void connectionIsUsedInsteadOfTheEmbeddedDynamoDb() {
		this.runner.withBean(DynamoDbConnectionDetails.class, () -> dynamoDb::endpoint).run((context) -> {
			assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("connectionDynamoDbClient");
			assertThat(context).doesNotHaveBean(EmbeddedDynamoDb.class);
			assertThat(context.getBean(DynamoDbClient.class).listTables().tableNames()).isEmpty();
		});
	}

	@Test
	void clientHasTheRegionAndTheKeysOfTheConnection() {
		this.runner.withBean(DynamoDbConnectionDetails.class, Elsewhere::new).run((context) -> {
			var configuration = context.getBean(DynamoDbClient.class).serviceClientConfiguration();
			assertThat(configuration.endpointOverride()).contains(URI.create("http://dynamodb.example:4566"));
			assertThat(configuration.region()).isEqualTo(Region.EU_CENTRAL_1);
			assertThat(configuration.credentialsProvider()).isInstanceOfSatisfying(AwsCredentialsProvider.class,
					(provider) -> {
						assertThat(provider.resolveCredentials().accessKeyId()).isEqualTo("access");
						assertThat(provider.resolveCredentials().secretAccessKey()).isEqualTo("secret");
					});
		});
	}

	@Test
	void applicationsOwnClientIsUsedInsteadOfTheConnection() {
		this.runner.withBean(DynamoDbConnectionDetails.class, () -> dynamoDb::endpoint)
			.withBean("ownClient", DynamoDbClient.class, () -> dynamoDb.newClient((builder) -> {
			}))
			.run((context) -> assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("ownClient"));
	}

	@Test
	void connectionIsUsedWhereverAnEndpointIsConfigured() {
		this.runner.withBean(DynamoDbConnectionDetails.class, () -> dynamoDb::endpoint)
			.withPropertyValues("dynamodb-lock.dynamodb.endpoint=http://dynamodb.example")
			.run((context) -> assertThat(context).hasSingleBean(DynamoDbClient.class)
				.hasBean("connectionDynamoDbClient"));
	}

	@Test
	void clientIsClosedWithTheContext() {
		this.runner.withBean(DynamoDbConnectionDetails.class, () -> dynamoDb::endpoint).run((context) -> {
			DynamoDbClient client = context.getBean(DynamoDbClient.class);
			context.close();
			assertThatIllegalStateException().isThrownBy(client::listTables);
		});
	}

	@Test
	void withoutAConnectionTheEmbeddedDynamoDbIsUsed() {
		this.runner.run(
				(context) -> assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("embeddedDynamoDbClient"));
	}

	@Test
	void withoutEitherThePropertiesAreTheConnection() {
		this.runner
			.withPropertyValues("dynamodb-lock.embedded.enabled=false", "dynamodb-lock.dynamodb.region=eu-central-1",
					"dynamodb-lock.dynamodb.endpoint=http://dynamodb.example")
			.run((context) -> {
				DynamoDbConnectionDetails connection = context.getBean(DynamoDbConnectionDetails.class);
				assertThat(connection.getEndpoint()).isEqualTo(URI.create("http://dynamodb.example"));
				assertThat(connection.getRegion()).isEqualTo("eu-central-1");
				assertThat(connection.getAccessKey()).as("what the SDK finds").isNull();
				assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("dynamoDbLockDynamoDbClient");
			});
	}

	@Test
	void needsNeitherTestcontainersNorDockerCompose() {
		this.runner
			.withClassLoader(new FilteredClassLoader("org.testcontainers", "org.springframework.boot.testcontainers",
					"org.springframework.boot.docker.compose"))
			.withBean(DynamoDbConnectionDetails.class, () -> dynamoDb::endpoint)
			.run((context) -> assertThat(context).hasSingleBean(DynamoDbClient.class)
				.hasBean("connectionDynamoDbClient"));
	}

	private static final class Elsewhere implements DynamoDbConnectionDetails {

		@Override
		public URI getEndpoint() {
			return URI.create("http://dynamodb.example:4566");
		}

		@Override
		public String getRegion() {
			return "eu-central-1";
		}

		@Override
		public String getAccessKey() {
			return "access";
		}

		@Override
		public String getSecretKey() {
			return "secret";
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.net.URI;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedDynamoDbAutoConfigurationTests {

	// Blank, so that a developer's environment does not switch the tests off.
	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EmbeddedDynamoDbAutoConfiguration.class))
		.withPropertyValues("AWS_ENDPOINT_URL=", "AWS_ENDPOINT_URL_DYNAMODB=");

	@Test
	void offersAServerAndItsClientByTheirNames(CapturedOutput output) {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(EmbeddedDynamoDb.class).hasBean("embeddedDynamoDb");
			assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("embeddedDynamoDbClient");
			assertThat(context.getBean(DynamoDbClient.class).listTables().tableNames()).isEmpty();
			URI endpoint = context.getBean(EmbeddedDynamoDb.class).endpoint();
			assertThat(output).contains("WARN").contains("memory of this process only").contains(endpoint.toString());
		});
	}

	@Test
	void serverStopsWithTheContext() {
		this.runner.run((context) -> {
			DynamoDbClient client = context.getBean(EmbeddedDynamoDb.class).newClient((builder) -> {
			});
			try (client) {
				context.close();
				assertThatException().isThrownBy(client::listTables).withMessageContaining("refused");
			}
		});
	}

	@Test
	void backsOffFromTheApplicationsOwnClient() {
		this.runner.withUserConfiguration(OwnClient.class).run((context) -> {
			assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("ownClient");
			assertThat(context).doesNotHaveBean(EmbeddedDynamoDb.class);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.embedded.enabled", "dynamodb-lock.enabled" })
	void isSwitchedOffByEitherProperty(String property) {
		this.runner.withPropertyValues(property + "=false").run(this::hasNoServer);
	}

	@ParameterizedTest
	@ValueSource(strings = { "dynamodb-lock.client.endpoint", "spring.cloud.aws.endpoint",
			"spring.cloud.aws.dynamodb.endpoint", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "aws.endpointUrl",
			"aws.endpointUrlDynamodb" })
	void isAbsentWhereAnEndpointIsConfigured(String property) {
		this.runner.withPropertyValues(property + "=http://dynamodb.example").run(this::hasNoServer);
	}

	private void hasNoServer(ApplicationContext context) {
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

}

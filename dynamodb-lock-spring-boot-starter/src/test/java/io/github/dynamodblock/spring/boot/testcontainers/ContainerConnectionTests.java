/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testcontainers;

import java.net.URI;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbConnectionDetails;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockConnectionAutoConfiguration;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsNotFoundException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.context.ImportTestcontainers;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What Boot makes of containers, without an engine: they only say where they would be.
 */
class ContainerConnectionTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(ServiceConnectionAutoConfiguration.class, DynamoDbLockConnectionAutoConfiguration.class));

	@ParameterizedTest
	@ValueSource(classes = { DynamoDbLocal.class, DynamoDbLocalOfAmazon.class, DynamoDbLocalByName.class })
	void containerOfDynamoDbLocalIsRecognisedByItsImageOrTheConnectionsName(Class<?> containers) {
		this.runner.withUserConfiguration(containers)
			.run((context) -> assertThat(context.getBean(DynamoDbConnectionDetails.class).getEndpoint())
				.isEqualTo(URI.create("http://engine.example:18000")));
	}

	@Test
	void clientCallsTheContainer() {
		try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start()) {
			Placed container = new Placed("amazon/dynamodb-local:3.3.1", server.endpoint());
			this.runner.withBean(DynamoDbLocalBean.class, () -> new DynamoDbLocalBean(container))
				.run((context) -> assertThat(context.getBean(DynamoDbClient.class).listTables().tableNames())
					.isEmpty());
		}
	}

	@Test
	void containerOfAnotherImageIsNotMistakenForDynamoDb() {
		this.runner.withUserConfiguration(SomethingElse.class)
			.run((context) -> assertThat(context).getFailure().isInstanceOf(ConnectionDetailsNotFoundException.class));
	}

	@Test
	void localStackGivesItsAddressRegionAndKeys() {
		this.runner.withUserConfiguration(LocalStack.class).run((context) -> {
			DynamoDbConnectionDetails connection = context.getBean(DynamoDbConnectionDetails.class);
			assertThat(connection.getEndpoint()).isEqualTo(URI.create("http://127.0.0.1:14566"));
			assertThat(connection.getRegion()).isEqualTo("eu-central-1");
			assertThat(connection.getAccessKey()).isEqualTo("access");
			assertThat(connection.getSecretKey()).isEqualTo("secret");
			assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("connectionDynamoDbClient");
		});
	}

	/** A container that is not started, and says that it is at the given place. */
	private static final class Placed extends GenericContainer<Placed> {

		private final String image;

		private final URI place;

		private Placed(String image, URI place) {
			super(DockerImageName.parse(image));
			this.image = image;
			this.place = place;
		}

		@Override
		public String getDockerImageName() {
			return this.image;
		}

		@Override
		public boolean isRunning() {
			return true;
		}

		@Override
		public String getHost() {
			return this.place.getHost();
		}

		@Override
		public Integer getMappedPort(int originalPort) {
			assertThat(originalPort).isEqualTo(8000);
			return this.place.getPort();
		}

		@Override
		public void stop() {
			// It never ran.
		}

	}

	@ImportTestcontainers
	static class DynamoDbLocal {

		@ServiceConnection
		static final GenericContainer<?> container = new Placed("amazon/dynamodb-local:3.3.1",
				URI.create("http://engine.example:18000"));

	}

	@ImportTestcontainers
	static class DynamoDbLocalOfAmazon {

		@ServiceConnection
		static final GenericContainer<?> container = new Placed(
				"public.ecr.aws/aws-dynamodb-local/aws-dynamodb-local:3.3.1",
				URI.create("http://engine.example:18000"));

	}

	@ImportTestcontainers
	static class DynamoDbLocalByName {

		@ServiceConnection(name = "amazon/dynamodb-local")
		static final GenericContainer<?> container = new Placed("registry.example/databases/dynamodb:1",
				URI.create("http://engine.example:18000"));

	}

	@ImportTestcontainers
	static class SomethingElse {

		@ServiceConnection
		static final GenericContainer<?> container = new Placed("registry.example/databases/other:1",
				URI.create("http://engine.example:18000"));

	}

	@Configuration(proxyBeanMethods = false)
	static class DynamoDbLocalBean {

		private final Placed container;

		DynamoDbLocalBean(Placed container) {
			this.container = container;
		}

		@Bean
		@ServiceConnection(name = "amazon/dynamodb-local")
		Placed container() {
			return this.container;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LocalStack {

		@Bean
		@ServiceConnection
		LocalStackContainer container() {
			// A real one asks for an engine when it is made.
			LocalStackContainer container = mock(LocalStackContainer.class);
			given(container.isRunning()).willReturn(true);
			given(container.getEndpoint()).willReturn(URI.create("http://127.0.0.1:14566"));
			given(container.getRegion()).willReturn("eu-central-1");
			given(container.getAccessKey()).willReturn("access");
			given(container.getSecretKey()).willReturn("secret");
			return container;
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.docker.compose;

import java.net.URI;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbConnectionDetails;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockConnectionAutoConfiguration;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Boot makes of the services of a compose.yaml, without Docker Compose.
 */
class DockerComposeConnectionTests {

	private static final String LABEL = "org.springframework.boot.service-connection";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DynamoDbLockConnectionAutoConfiguration.class));

	@Test
	void serviceOfDynamoDbLocalIsRecognisedByItsImage() {
		try (EmbeddedDynamoDb server = EmbeddedDynamoDb.start()) {
			with(new Service("amazon/dynamodb-local:3.3.1", 8000, server.endpoint(), Map.of(), Map.of())).run(
					(context) -> assertThat(context.getBean(DynamoDbClient.class).listTables().tableNames()).isEmpty());
		}
	}

	@Test
	void serviceOfAnotherImageIsRecognisedByItsLabel() {
		with(new Service("registry.example/databases/dynamodb:1", 8000, URI.create("http://127.0.0.1:18000"),
				Map.of(LABEL, "amazon/dynamodb-local"), Map.of()))
			.run((context) -> assertThat(context.getBean(DynamoDbConnectionDetails.class).getEndpoint())
				.isEqualTo(URI.create("http://127.0.0.1:18000")));
	}

	@Test
	void localStackGivesItsAddressRegionAndKeys() {
		with(new Service("localstack/localstack:4", 4566, URI.create("http://127.0.0.1:14566"), Map.of(),
				Map.of("AWS_DEFAULT_REGION", "eu-central-1", "AWS_ACCESS_KEY_ID", "access", "AWS_SECRET_ACCESS_KEY",
						"secret")))
			.run((context) -> {
				DynamoDbConnectionDetails connection = context.getBean(DynamoDbConnectionDetails.class);
				assertThat(connection.getEndpoint()).isEqualTo(URI.create("http://127.0.0.1:14566"));
				assertThat(connection.getRegion()).isEqualTo("eu-central-1");
				assertThat(connection.getAccessKey()).isEqualTo("access");
				assertThat(connection.getSecretKey()).isEqualTo("secret");
				assertThat(context).hasSingleBean(DynamoDbClient.class).hasBean("connectionDynamoDbClient");
			});
	}

	@Test
	void localStackThatSaysNothingHasItsDefaults() {
		with(new Service("localstack/localstack-pro", 4566, URI.create("http://127.0.0.1:14566"), Map.of(), Map.of()))
			.run((context) -> {
				DynamoDbConnectionDetails connection = context.getBean(DynamoDbConnectionDetails.class);
				assertThat(connection.getRegion()).isEqualTo("us-east-1");
				assertThat(connection.getAccessKey()).isEqualTo("test");
			});
	}

	@Test
	void serviceOfAnotherImageIsNotMistakenForDynamoDb() {
		with(new Service("registry.example/databases/other:1", 8000, URI.create("http://127.0.0.1:18000"), Map.of(),
				Map.of()))
			.run((context) -> assertThat(context).doesNotHaveBean(DynamoDbConnectionDetails.class));
	}

	private ApplicationContextRunner with(RunningService service) {
		DockerComposeConnectionSource source = source(service);
		ApplicationContextRunner prepared = this.runner;
		for (ConnectionDetails details : new ConnectionDetailsFactories(getClass().getClassLoader())
			.getConnectionDetails(source, false)
			.values()) {
			prepared = prepared.withBean(DynamoDbConnectionDetails.class, () -> (DynamoDbConnectionDetails) details);
		}
		return prepared;
	}

	/** Boot alone makes these, of what Docker Compose tells. */
	private static DockerComposeConnectionSource source(RunningService service) {
		try {
			return BeanUtils.instantiateClass(
					DockerComposeConnectionSource.class.getDeclaredConstructor(RunningService.class, Environment.class),
					service, new MockEnvironment());
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException("This Spring Boot tells of services in another way", ex);
		}
	}

	private record Service(ImageReference image, int port, URI place, Map<String, String> labels,
			Map<String, String> env) implements RunningService {

		Service(String image, int port, URI place, Map<String, String> labels, Map<String, String> env) {
			this(ImageReference.of(image), port, place, labels, env);
		}

		@Override
		public String name() {
			return "dynamodb";
		}

		@Override
		public String host() {
			return this.place.getHost();
		}

		@Override
		public ConnectionPorts ports() {
			return new Ports(this.port, this.place.getPort());
		}

	}

	private record Ports(int inside, int outside) implements ConnectionPorts {

		@Override
		public int get(int containerPort) {
			assertThat(containerPort).isEqualTo(this.inside);
			return this.outside;
		}

		@Override
		public List<Integer> getAll() {
			return List.of(this.outside);
		}

		@Override
		public List<Integer> getAll(@Nullable String protocol) {
			return getAll();
		}

	}

}

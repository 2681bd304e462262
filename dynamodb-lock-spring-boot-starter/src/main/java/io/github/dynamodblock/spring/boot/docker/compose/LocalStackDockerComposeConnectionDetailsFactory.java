/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.docker.compose;

import java.net.URI;
import java.util.Map;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbConnectionDetails;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * Connects a service whose image is LocalStack. A service of another image needs the
 * label {@code org.springframework.boot.service-connection: localstack/localstack}.
 */
final class LocalStackDockerComposeConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<DynamoDbConnectionDetails> {

	private static final int PORT = 4566;

	LocalStackDockerComposeConnectionDetailsFactory() {
		super(new String[] { "localstack/localstack", "localstack/localstack-pro" });
	}

	@Override
	protected DynamoDbConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new LocalStackDockerComposeConnectionDetails(source.getRunningService());
	}

	private static final class LocalStackDockerComposeConnectionDetails extends DockerComposeConnectionDetails
			implements DynamoDbConnectionDetails {

		private final URI endpoint;

		private final Map<String, String> environment;

		private LocalStackDockerComposeConnectionDetails(RunningService service) {
			super(service);
			this.endpoint = URI.create("http://" + service.host() + ":" + service.ports().get(PORT));
			this.environment = Map.copyOf(service.env());
		}

		@Override
		public URI getEndpoint() {
			return this.endpoint;
		}

		@Override
		public String getRegion() {
			return this.environment.getOrDefault("AWS_DEFAULT_REGION",
					this.environment.getOrDefault("DEFAULT_REGION", "us-east-1"));
		}

		@Override
		public String getAccessKey() {
			return this.environment.getOrDefault("AWS_ACCESS_KEY_ID", "test");
		}

		@Override
		public String getSecretKey() {
			return this.environment.getOrDefault("AWS_SECRET_ACCESS_KEY", "test");
		}

	}

}

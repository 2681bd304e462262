/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.docker.compose;

import java.net.URI;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbConnectionDetails;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * Connects a service whose image is DynamoDB Local. A service of another image needs the
 * label {@code org.springframework.boot.service-connection: amazon/dynamodb-local}.
 */
final class DynamoDbLocalDockerComposeConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<DynamoDbConnectionDetails> {

	private static final int PORT = 8000;

	DynamoDbLocalDockerComposeConnectionDetailsFactory() {
		super(new String[] { "amazon/dynamodb-local", "aws-dynamodb-local/aws-dynamodb-local" });
	}

	@Override
	protected DynamoDbConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new DynamoDbLocalDockerComposeConnectionDetails(source.getRunningService());
	}

	private static final class DynamoDbLocalDockerComposeConnectionDetails extends DockerComposeConnectionDetails
			implements DynamoDbConnectionDetails {

		private final URI endpoint;

		private DynamoDbLocalDockerComposeConnectionDetails(RunningService service) {
			super(service);
			this.endpoint = URI.create("http://" + service.host() + ":" + service.ports().get(PORT));
		}

		@Override
		public URI getEndpoint() {
			return this.endpoint;
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testcontainers;

import java.net.URI;
import java.util.List;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbConnectionDetails;
import org.testcontainers.containers.Container;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Connects a container of an image of DynamoDB Local that is marked with
 * {@code @ServiceConnection}. Another image needs the name:
 * {@code @ServiceConnection(name = "amazon/dynamodb-local")}.
 */
final class DynamoDbLocalContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, DynamoDbConnectionDetails> {

	private static final int PORT = 8000;

	DynamoDbLocalContainerConnectionDetailsFactory() {
		// The same image at Docker Hub and in Amazon's public registry.
		super(List.of("amazon/dynamodb-local", "aws-dynamodb-local/aws-dynamodb-local"));
	}

	@Override
	protected DynamoDbConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
		return new DynamoDbLocalContainerConnectionDetails(source);
	}

	private static final class DynamoDbLocalContainerConnectionDetails extends ContainerConnectionDetails<Container<?>>
			implements DynamoDbConnectionDetails {

		private DynamoDbLocalContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
			super(source);
		}

		@Override
		public URI getEndpoint() {
			Container<?> container = getContainer();
			return URI.create("http://" + container.getHost() + ":" + container.getMappedPort(PORT));
		}

	}

}

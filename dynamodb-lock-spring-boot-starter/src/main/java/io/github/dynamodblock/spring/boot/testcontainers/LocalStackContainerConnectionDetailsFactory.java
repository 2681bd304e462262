/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.testcontainers;

import java.net.URI;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbConnectionDetails;
import org.testcontainers.localstack.LocalStackContainer;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Connects a {@link LocalStackContainer} that is marked with {@code @ServiceConnection}.
 */
final class LocalStackContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<LocalStackContainer, DynamoDbConnectionDetails> {

	LocalStackContainerConnectionDetailsFactory() {
		super(ANY_CONNECTION_NAME);
	}

	@Override
	protected DynamoDbConnectionDetails getContainerConnectionDetails(
			ContainerConnectionSource<LocalStackContainer> source) {
		return new LocalStackContainerConnectionDetails(source);
	}

	private static final class LocalStackContainerConnectionDetails
			extends ContainerConnectionDetails<LocalStackContainer> implements DynamoDbConnectionDetails {

		private LocalStackContainerConnectionDetails(ContainerConnectionSource<LocalStackContainer> source) {
			super(source);
		}

		@Override
		public URI getEndpoint() {
			return getContainer().getEndpoint();
		}

		@Override
		public String getRegion() {
			return getContainer().getRegion();
		}

		@Override
		public String getAccessKey() {
			return getContainer().getAccessKey();
		}

		@Override
		public String getSecretKey() {
			return getContainer().getSecretKey();
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.spring.aop.invocation.LockNaming;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;

/**
 * How the keys of annotated methods' locks are made, by lock client.
 */
final class LockNamings {

	private final Environment environment;

	LockNamings(Environment environment) {
		this.environment = environment;
	}

	/**
	 * The naming of a client's locks.
	 * @param lockClient the name of the client's bean, or {@code null} for the default
	 * one; a client of the application's own goes by the default one's properties
	 * @return the naming
	 */
	LockNaming naming(@Nullable String lockClient) {
		DynamoDbLockProperties properties = new ConfiguredLockClients(this.environment)
			.properties((lockClient != null) ? lockClient : ConfiguredLockClients.DEFAULT);
		DynamoDbLockProperties.Table table = properties.table();
		return new LockNaming(properties.keyPrefix(), (table.sortKeyName() != null) ? table.sortKeyValue() : null);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.aop.invocation.LockNaming;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of a {@link DynamoDbLockRegistry} for the default
 * {@link LockClient}, where there is Spring Integration. Backs off from any
 * {@link LockRegistry} of the application.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class,
		afterName = "org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration")
@ConditionalOnClass({ LockClient.class, LockRegistry.class })
@ConditionalOnBooleanProperty(name = LockRegistryProperties.PREFIX + ".enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(LockClient.class)
@ConditionalOnMissingBean(LockRegistry.class)
@EnableConfigurationProperties(LockRegistryProperties.class)
public final class DynamoDbLockRegistryAutoConfiguration {

	@Bean
	DynamoDbLockRegistry dynamoDbLockRegistry(LockClient lockClient, LockRegistryProperties properties,
			Environment environment) {
		PropertyValues values = new PropertyValues(LockRegistryProperties.PREFIX);
		LockNaming naming = new LockNamings(environment).naming(null);
		// With the shortest text that a key can have.
		values.check("key-prefix", properties.keyPrefix(), (prefix) -> LockKey.of(naming.prefix() + prefix + "a"));
		DynamoDbLockRegistry.Builder builder = DynamoDbLockRegistry.builder(lockClient)
			.keyPrefix(naming.prefix() + properties.keyPrefix())
			.sortKey(naming.sort())
			.deleteOnRelease(properties.deleteOnRelease());
		values.apply("capacity", properties.capacity(), builder, DynamoDbLockRegistry.Builder::capacity);
		values.apply("lease-duration", properties.leaseDuration(), builder,
				DynamoDbLockRegistry.Builder::leaseDuration);
		return builder.build();
	}

}

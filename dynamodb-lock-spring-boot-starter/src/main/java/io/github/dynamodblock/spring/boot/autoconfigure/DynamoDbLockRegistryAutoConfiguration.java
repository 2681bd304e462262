/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of a {@link DynamoDbLockRegistry} for the default
 * {@link LockClient}, if Spring Integration is on the class path. Backs off if the
 * application defines a {@link LockRegistry}.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class,
		afterName = "org.springframework.boot.integration.autoconfigure.IntegrationAutoConfiguration")
@ConditionalOnClass({ LockClient.class, LockRegistry.class })
@ConditionalOnEnabled("registry.enabled")
@ConditionalOnSingleCandidate(LockClient.class)
@ConditionalOnMissingBean(LockRegistry.class)
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DynamoDbLockRegistryAutoConfiguration {

	static final String PREFIX = DynamoDbLockProperties.PREFIX + ".registry";

	@Bean
	DynamoDbLockRegistry dynamoDbLockRegistry(LockClient lockClient, DynamoDbLockProperties properties) {
		DynamoDbLockProperties.Registry settings = properties.registry();
		LockNaming all = properties.naming();
		LockNaming naming = new LockNaming(all.prefix() + settings.keyPrefix(), all.sort());
		Duration lease = settings.leaseDuration();
		// Checked with the shortest possible key.
		PropertyRefusals.check(PREFIX + ".key-prefix", settings.keyPrefix(), (prefix) -> naming.key("a"));
		PropertyRefusals.check(PREFIX + ".lease-duration", lease, LockRequest.of("any")::leaseDuration);
		return new DynamoDbLockRegistry(lockClient, naming, (request) -> {
			LockRequest options = request.deleteOnRelease(settings.deleteOnRelease());
			return (lease != null) ? options.leaseDuration(lease) : options;
		});
	}

}

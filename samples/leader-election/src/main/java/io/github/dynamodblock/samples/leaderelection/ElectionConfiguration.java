/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.time.Duration;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * The election.
 */
@Configuration(proxyBeanMethods = false)
class ElectionConfiguration {

	@Bean
	DynamoDbLockRegistry dynamoDbLockRegistry(LockClient lockClient,
			@Value("${dynamodb-lock.registry.key-prefix:registry:}") String keyPrefix) {
		return DynamoDbLockRegistry.builder(lockClient).keyPrefix(keyPrefix).build();
	}

	@Bean
	LockRegistryLeaderInitiator lockRegistryLeaderInitiator(DynamoDbLockRegistry registry,
			@Value("${dynamodb-lock.leader.role}") String role, @Value("${dynamodb-lock.leader.id}") String id,
			@Value("${dynamodb-lock.leader.retry-delay}") Duration retryDelay) {
		LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry,
				new DefaultCandidate(id, role));
		initiator.setBusyWaitMillis(retryDelay.toMillis());
		return initiator;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of leader election by a lock of the {@link LockRegistry} bean, where
 * {@code dynamodb-lock.leader.role} is set. The application's {@link Candidate} bean is
 * told, if there is one. Backs off from the application's own
 * {@link LockRegistryLeaderInitiator}.
 */
@AutoConfiguration(after = DynamoDbLockRegistryAutoConfiguration.class)
@ConditionalOnClass({ LockClient.class, LockRegistryLeaderInitiator.class })
@Conditional({ OnLocksEnabledCondition.class, OnLeaderRoleCondition.class })
@ConditionalOnMissingBean(LockRegistryLeaderInitiator.class)
@EnableConfigurationProperties(LockLeaderProperties.class)
public final class DynamoDbLockLeaderAutoConfiguration {

	@Bean
	LockRegistryLeaderInitiator lockRegistryLeaderInitiator(LockRegistry<?> registry,
			ObjectProvider<Candidate> candidate, LockLeaderProperties properties,
			ObjectProvider<LockRegistryProperties> registryProperties, ObjectProvider<LockClientFactory> clients) {
		LeaderElectionConfigurer configurer = new LeaderElectionConfigurer(properties);
		// Of a registry of the application's own, the lease is not known.
		registryProperties.ifAvailable((auto) -> configurer.checkLease(auto.leaseDuration(),
				clients.stream()
					.flatMap((factory) -> factory.leaseDuration(ConfiguredLockClients.DEFAULT).stream())
					.findFirst()
					.orElse(null)));
		return configurer.initiator(registry, candidate.getIfAvailable());
	}

}

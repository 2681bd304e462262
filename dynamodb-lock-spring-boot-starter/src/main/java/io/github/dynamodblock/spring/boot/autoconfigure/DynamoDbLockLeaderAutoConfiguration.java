/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of leader election by a lock of the {@link DynamoDbLockRegistry}
 * bean, where {@code dynamodb-lock.leader.role} is set. The application's
 * {@link Candidate} bean is notified, if there is one. Backs off from the application's
 * own {@link LockRegistryLeaderInitiator}. Without a {@link DynamoDbLockRegistry}, there
 * is no election: locks of another registry may exclude nothing beyond this process, and
 * every node would lead.
 */
@AutoConfiguration(after = DynamoDbLockRegistryAutoConfiguration.class)
@ConditionalOnClass({ LockClient.class, LockRegistryLeaderInitiator.class })
@Conditional({ OnLocksEnabledCondition.class, OnLeaderRoleCondition.class })
@ConditionalOnMissingBean(LockRegistryLeaderInitiator.class)
@EnableConfigurationProperties(LockLeaderProperties.class)
public final class DynamoDbLockLeaderAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(DynamoDbLockLeaderAutoConfiguration.class);

	@Bean
	@ConditionalOnBean(DynamoDbLockRegistry.class)
	LockRegistryLeaderInitiator lockRegistryLeaderInitiator(DynamoDbLockRegistry registry,
			ObjectProvider<Candidate> candidate, LockLeaderProperties properties,
			ObjectProvider<LockRegistryProperties> registryProperties, ObjectProvider<LockClientFactory> clients) {
		LeaderElectionConfigurer configurer = new LeaderElectionConfigurer(properties);
		// Of a registry that the application builds, the lease is not known.
		registryProperties.ifAvailable((auto) -> configurer.checkLease(auto.leaseDuration(),
				clients.stream()
					.flatMap((factory) -> factory.leaseDuration(ConfiguredLockClients.DEFAULT).stream())
					.findFirst()
					.orElse(null)));
		return configurer.initiator(registry, candidate.getIfAvailable());
	}

	// Not lazy, or else nobody is told.
	@Lazy(false)
	@Bean
	@ConditionalOnMissingBean(DynamoDbLockRegistry.class)
	SmartInitializingSingleton lockLeaderElectionWithoutRegistry(LockLeaderProperties properties,
			ListableBeanFactory beanFactory) {
		List<String> others = List
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, LockRegistry.class, true, false));
		if (others.isEmpty()) {
			throw new IllegalStateException("There is no DynamoDbLockRegistry for the leader election of "
					+ LockLeaderProperties.PREFIX + ".role=" + properties.role() + ". Remove "
					+ LockRegistryProperties.PREFIX + ".enabled=false, define a DynamoDbLockRegistry bean, or remove "
					+ LockLeaderProperties.PREFIX + ".role");
		}
		return () -> logger.warn(
				"""
						No leader is elected for {}.role={}, because the lock registry is not a DynamoDbLockRegistry ({}): its \
						locks may exclude nothing beyond this process, and every node would lead. Define a DynamoDbLockRegistry \
						bean beside it, or a LockRegistryLeaderInitiator bean that uses it, or remove {}.role""",
				LockLeaderProperties.PREFIX, properties.role(), String.join(", ", others), LockLeaderProperties.PREFIX);
	}

}

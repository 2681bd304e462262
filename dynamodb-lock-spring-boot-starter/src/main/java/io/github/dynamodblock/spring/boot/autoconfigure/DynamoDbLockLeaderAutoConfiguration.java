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

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.util.StringUtils;

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
@Conditional({ OnLocksEnabledCondition.class, DynamoDbLockLeaderAutoConfiguration.OnRole.class })
@ConditionalOnMissingBean(LockRegistryLeaderInitiator.class)
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DynamoDbLockLeaderAutoConfiguration {

	private static final String PREFIX = DynamoDbLockProperties.PREFIX + ".leader.role";

	private static final Logger logger = LoggerFactory.getLogger(DynamoDbLockLeaderAutoConfiguration.class);

	@Bean
	@ConditionalOnBean(DynamoDbLockRegistry.class)
	LockRegistryLeaderInitiator lockRegistryLeaderInitiator(DynamoDbLockRegistry registry,
			ObjectProvider<Candidate> candidate, DynamoDbLockProperties properties, BeanFactory beanFactory) {
		LeaderElectionConfigurer configurer = new LeaderElectionConfigurer(properties.leader());
		// Of a registry that the application builds, the lease is not known.
		if (beanFactory.containsBean(DynamoDbLockRegistryAutoConfiguration.BEAN)) {
			configurer.checkLease(properties.registry().leaseDuration(),
					beanFactory.containsBean(LockClientProperties.DEFAULT) ? properties.leaseDuration() : null);
		}
		return configurer.initiator(registry, candidate.getIfAvailable());
	}

	// Not lazy, so that the WARN is logged.
	@Lazy(false)
	@Bean
	@ConditionalOnMissingBean(DynamoDbLockRegistry.class)
	SmartInitializingSingleton lockLeaderElectionWithoutRegistry(DynamoDbLockProperties properties,
			ListableBeanFactory beanFactory) {
		List<String> others = List
			.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, LockRegistry.class, true, false));
		String role = PREFIX + "=" + properties.leader().role();
		if (others.isEmpty()) {
			throw new IllegalStateException("There is no DynamoDbLockRegistry for the leader election of " + role
					+ ". Remove " + DynamoDbLockRegistryAutoConfiguration.PREFIX
					+ ".enabled=false, define a DynamoDbLockRegistry bean, or remove " + PREFIX);
		}
		return () -> logger.warn(
				"""
						No leader is elected for {}, because the lock registry is not a DynamoDbLockRegistry ({}): its \
						locks may exclude nothing beyond this process, and every node would lead. Define a DynamoDbLockRegistry \
						bean beside it, or a LockRegistryLeaderInitiator bean that uses it, or remove {}""",
				role, String.join(", ", others), PREFIX);
	}

	/** Matches if there is a role that is not blank. */
	static class OnRole extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			boolean present = StringUtils.hasText(context.getEnvironment().getProperty(PREFIX));
			return new ConditionOutcome(present, PREFIX + (present ? " is set" : " is not set"));
		}

	}

}

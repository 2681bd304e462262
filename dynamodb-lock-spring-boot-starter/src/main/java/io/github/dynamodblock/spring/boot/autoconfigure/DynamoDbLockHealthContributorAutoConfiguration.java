/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Map;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.actuate.LockHealthIndicator;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of health for all lock client beans: one indicator, or with several
 * clients, one for each under its bean name.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class)
@ConditionalOnClass({ LockClient.class, HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(LockClient.class)
@ConditionalOnEnabledHealthIndicator("dynamodb-lock")
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DynamoDbLockHealthContributorAutoConfiguration
		extends CompositeHealthContributorConfiguration<LockHealthIndicator, LockClient> {

	DynamoDbLockHealthContributorAutoConfiguration(ConfigurableListableBeanFactory beanFactory,
			DynamoDbLockProperties properties) {
		// Locks in memory must not look like locks in DynamoDB.
		super((client) -> new LockHealthIndicator(client, properties.keyPrefix(),
				isInMemory(beanFactory) ? Map.of("embedded", true) : Map.of()));
	}

	/**
	 * Returns whether an embedded client was created, which happens only if it is used.
	 */
	private static boolean isInMemory(ConfigurableListableBeanFactory beanFactory) {
		return beanFactory.containsSingleton(DynamoDbLockEmbeddedAutoConfiguration.CLIENT)
				|| beanFactory.containsSingleton(DynamoDbLockEmbeddedAutoConfiguration.CLIENT_OF_TEST);
	}

	@Bean
	@ConditionalOnMissingBean(name = { "dynamoDbLockHealthIndicator", "dynamoDbLockHealthContributor" })
	HealthContributor dynamoDbLockHealthContributor(ConfigurableListableBeanFactory beanFactory) {
		return createContributor(beanFactory, LockClient.class);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the {@link LockClient}. It uses the application's
 * {@link DynamoDbClient} bean, or makes one from {@code dynamodb-lock.client.*} and the
 * SDK's default chains. Before the client is made, the lock table is created or checked.
 * Backs off from the application's own {@link LockClient}.
 */
@AutoConfiguration(afterName = "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration")
@ConditionalOnClass({ LockClient.class, DynamoDbClient.class })
@Conditional(OnLocksEnabledCondition.class)
@EnableConfigurationProperties(DynamoDbLockProperties.class)
public final class DynamoDbLockClientAutoConfiguration {

	private static final String LOCK_CLIENT = "dynamoDbLockClient";

	@Bean(LOCK_CLIENT)
	@ConditionalOnMissingBean(LockClient.class)
	LockClient dynamoDbLockClient(DynamoDbLockProperties properties, ConfigurableListableBeanFactory beanFactory) {
		SelectedDynamoDbClient selected = SelectedDynamoDbClient.select(beanFactory, properties);
		// The lock client is closed first, while its table can still be reached.
		beanFactory.registerDependentBean(selected.beanName(), LOCK_CLIENT);
		LockClientBuilder builder = new LockClientConfigurer(properties).builder(selected.client());
		new LockTableInitializer(properties, selected).initialize();
		return builder.build();
	}

	/**
	 * The client of an application that has none. Not a candidate for other injection
	 * points, which did not ask for the locks' client.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean({ LockClient.class, DynamoDbClient.class })
	static class OwnDynamoDbClientConfiguration {

		@Bean(name = SelectedDynamoDbClient.OWN, defaultCandidate = false)
		DynamoDbClient dynamoDbLockDynamoDbClient(DynamoDbLockProperties properties) {
			return new OwnDynamoDbClientFactory(properties.client()).create();
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.actuate.MeteredLockClients;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of meters for all lock client beans, those of the application
 * included.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({ LockClient.class, MeterRegistry.class })
@ConditionalOnBean(MeterRegistry.class)
public final class DynamoDbLockMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static MeteredLockClients meteredLockClients(ObjectProvider<MeterRegistry> registry) {
		return new MeteredLockClients(registry::getObject);
	}

}

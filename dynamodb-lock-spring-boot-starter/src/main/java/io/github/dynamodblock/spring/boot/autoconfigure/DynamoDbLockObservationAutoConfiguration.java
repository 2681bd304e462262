/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.actuate.LockObservationConvention;
import io.github.dynamodblock.spring.boot.actuate.ObservedLockClients;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of an observation for every acquisition of all lock client beans,
 * those of the application included.
 */
@AutoConfiguration(after = DynamoDbLockClientAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass({ LockClient.class, ObservationRegistry.class })
@ConditionalOnBean(ObservationRegistry.class)
public final class DynamoDbLockObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ObservedLockClients observedLockClients(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<LockObservationConvention> convention) {
		return new ObservedLockClients(registry::getObject, convention::getIfAvailable);
	}

}

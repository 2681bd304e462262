/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Fails startup before an embedded DynamoDB passes for the one of a deployed application.
 * Works on the environment in which the application runs, also if it was processed ahead
 * of time, and before lazy beans are made.
 */
final class EmbeddedDynamoDbGuard implements BeanFactoryPostProcessor {

	/** Set to true, the embedded DynamoDB is what the application is to have. */
	static final String ENABLED = "dynamodb-lock.embedded.enabled";

	private final ConfigurableEnvironment environment;

	EmbeddedDynamoDbGuard(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (this.environment.getProperty(ENABLED, Boolean.class, false)) {
			return;
		}
		List<String> signs = Stream
			.concat(DeploymentSigns.in(this.environment).stream(), ProviderBeans.in(beanFactory).stream())
			.toList();
		if (!signs.isEmpty()) {
			throw new EmbeddedDynamoDbRefusedException(signs);
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.Arrays;
import java.util.List;

import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockEmbeddedAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.LockDynamoDbClient;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Gives tests with {@link InMemoryLocks} the client that their locks use, whatever other
 * clients the application defines.
 */
final class InMemoryLocksContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		return TestContextAnnotationUtils.hasAnnotation(testClass, InMemoryLocks.class) ? new InMemoryLocksCustomizer()
				: null;
	}

	/** All are equal, so that the key of a cached context stays the same. */
	private record InMemoryLocksCustomizer() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
			// First, so that auto-configurations of clients back off.
			RootBeanDefinition client = new RootBeanDefinition(InMemoryLocksClient.class);
			client.setFallback(true);
			registry.registerBeanDefinition(DynamoDbLockEmbeddedAutoConfiguration.CLIENT, client);
			registry.registerBeanDefinition(OnlyMarkedClient.class.getName(),
					new RootBeanDefinition(OnlyMarkedClient.class));
		}

	}

	/** Locks use it; other beans are injected it if there is no other client. */
	@LockDynamoDbClient
	static final class InMemoryLocksClient extends InMemoryDynamoDb {

	}

	/** Removes the application's client for locks, in whose place the test's is. */
	static final class OnlyMarkedClient implements BeanFactoryPostProcessor {

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
			Arrays.stream(beanFactory.getBeanNamesForType(DynamoDbClient.class, true, false))
				.filter((name) -> !name.equals(DynamoDbLockEmbeddedAutoConfiguration.CLIENT)
						&& beanFactory.containsBeanDefinition(name)
						&& beanFactory.findAnnotationOnBean(name, LockDynamoDbClient.class, false) != null)
				.forEach(((BeanDefinitionRegistry) beanFactory)::removeBeanDefinition);
		}

	}

}

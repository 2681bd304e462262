/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.Arrays;
import java.util.List;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockEmbeddedAutoConfiguration;
import io.github.dynamodblock.spring.boot.autoconfigure.LockDynamoDbClient;
import io.github.dynamodblock.test.memory.InMemoryDynamoDb;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
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

	/** All instances are equal, so the key of a cached context stays the same. */
	private record InMemoryLocksCustomizer() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			if (AotDetector.useGeneratedArtifacts()) {
				return;
			}
			BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
			RootBeanDefinition client = new RootBeanDefinition(InMemoryLocksClient.class);
			// It does not change what other beans are injected.
			client.setDefaultCandidate(false);
			registry.registerBeanDefinition(DynamoDbLockEmbeddedAutoConfiguration.CLIENT_OF_TEST, client);
			registry.registerBeanDefinition(OnlyClientOfLocks.class.getName(),
					new RootBeanDefinition(OnlyClientOfLocks.class));
		}

	}

	/** The client that only locks use. */
	@LockDynamoDbClient
	static final class InMemoryLocksClient extends InMemoryDynamoDb {

	}

	/**
	 * Removes the application's client for locks, which the test's client replaces, and
	 * refuses lock clients that use another one.
	 */
	static final class OnlyClientOfLocks
			implements BeanFactoryPostProcessor, BeanFactoryAware, SmartInitializingSingleton {

		@SuppressWarnings("NullAway.Init")
		private ConfigurableListableBeanFactory beanFactory;

		@Override
		public void setBeanFactory(BeanFactory beanFactory) {
			this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
		}

		@Override
		public void afterSingletonsInstantiated() {
			for (String lockClient : this.beanFactory.getBeanNamesForType(LockClient.class, false, false)) {
				List<String> used = FreshTable.dynamoDbsOf(this.beanFactory, lockClient);
				if (!used.isEmpty() && !used.contains(DynamoDbLockEmbeddedAutoConfiguration.CLIENT_OF_TEST)) {
					throw new IllegalStateException("@InMemoryLocks would have no effect on the LockClient bean '"
							+ lockClient + "', which uses the DynamoDbClient bean " + used
							+ ". Build it with the LockClientBuilder bean, or replace it in this test");
				}
			}
		}

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
			Arrays.stream(beanFactory.getBeanNamesForType(DynamoDbClient.class, true, false))
				.filter((name) -> !name.equals(DynamoDbLockEmbeddedAutoConfiguration.CLIENT_OF_TEST)
						&& beanFactory.containsBeanDefinition(name)
						&& beanFactory.findAnnotationOnBean(name, LockDynamoDbClient.class, false) != null)
				.forEach(((BeanDefinitionRegistry) beanFactory)::removeBeanDefinition);
		}

	}

}

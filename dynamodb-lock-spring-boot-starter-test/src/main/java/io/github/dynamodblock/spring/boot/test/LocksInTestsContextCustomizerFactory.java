/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test;

import java.util.List;
import java.util.Map;

import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Gives every context of Spring's TestContext Framework locks in memory, by
 * {@code dynamodb-lock.embedded.enabled}, and a {@link JobTester}. A value in
 * {@code application.yml} or the environment, and a {@code JobClock} of the application,
 * take precedence.
 */
final class LocksInTestsContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		return new LocksInTests();
	}

	/** All instances are equal, so the key of a cached context stays the same. */
	private record LocksInTests() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			context.getEnvironment()
				.getPropertySources()
				.addLast(new MapPropertySource(LocksInTests.class.getName(),
						Map.of("dynamodb-lock.embedded.enabled", true)));
			if (AotDetector.useGeneratedArtifacts()) {
				return;
			}
			BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
			RootBeanDefinition clock = new RootBeanDefinition(TestJobClock.class);
			clock.setFallback(true);
			clock.setLazyInit(true);
			registry.registerBeanDefinition(TestJobClock.class.getName(), clock);
			RootBeanDefinition tester = new RootBeanDefinition(JobTester.class);
			tester.setLazyInit(true);
			registry.registerBeanDefinition(JobTester.class.getName(), tester);
		}

	}

}

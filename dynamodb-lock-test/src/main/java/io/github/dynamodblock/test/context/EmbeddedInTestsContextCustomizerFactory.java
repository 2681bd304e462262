/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.context;

import java.util.List;
import java.util.Map;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Says to every context of Spring's TestContext Framework that the embedded DynamoDB is
 * intended, whatever region or platform the tests run in. Any other value of the property
 * goes before.
 */
final class EmbeddedInTestsContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		return new EmbeddedInTests();
	}

	/** All are equal, so that the key of a cached context stays the same. */
	private record EmbeddedInTests() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			context.getEnvironment()
				.getPropertySources()
				.addLast(new MapPropertySource("dynamodb-lock-test", Map.of("dynamodb-lock.embedded.enabled", true)));
		}

	}

}

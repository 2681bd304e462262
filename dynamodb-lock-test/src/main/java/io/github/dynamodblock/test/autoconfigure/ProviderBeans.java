/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Beans by which an application says in which region it runs and who it is.
 */
final class ProviderBeans {

	/** Has such beans wherever it is, which ask the SDK's default chains. */
	private static final String SPRING_CLOUD_AWS = "io.awspring.cloud.";

	private ProviderBeans() {
	}

	/** The application's own, as nouns; none of them is made. */
	static List<String> in(ConfigurableListableBeanFactory beanFactory) {
		return Stream.of(AwsRegionProvider.class, AwsCredentialsProvider.class)
			.flatMap((type) -> Arrays.stream(beanFactory.getBeanNamesForType(type, true, false))
				.filter((name) -> !isOfSpringCloudAws(beanFactory, name))
				.map((name) -> "the " + type.getSimpleName() + " bean '" + name + "'"))
			.toList();
	}

	private static boolean isOfSpringCloudAws(ConfigurableListableBeanFactory beanFactory, String name) {
		if (!beanFactory.containsBeanDefinition(name)) {
			return false;
		}
		BeanDefinition definition = beanFactory.getMergedBeanDefinition(name);
		String factory = definition.getFactoryBeanName();
		return startsAsItsClasses(definition.getBeanClassName()) || startsAsItsClasses(method(definition))
				|| (factory != null && beanFactory.containsBeanDefinition(factory)
						&& startsAsItsClasses(beanFactory.getMergedBeanDefinition(factory).getBeanClassName()));
	}

	/** The class of the method that makes the bean, which is known ahead of time, too. */
	private static @Nullable String method(BeanDefinition definition) {
		Method method = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
		return (method != null) ? method.getDeclaringClass().getName() : null;
	}

	private static boolean startsAsItsClasses(@Nullable String className) {
		return className != null && className.startsWith(SPRING_CLOUD_AWS);
	}

}

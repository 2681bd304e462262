/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * The DynamoDbClient bean that locks use: the one that is marked for locks, or else the
 * one that would be injected into other beans.
 *
 * @param beanName the bean's name
 * @param client the client
 */
record SelectedDynamoDbClient(String beanName, DynamoDbClient client) {

	/** The name of the bean that is created if the application has none. */
	static final String OWN = "dynamoDbLockDynamoDbClient";

	/** The clients of a DynamoDB that contains only test data. */
	private static final Set<String> FOR_TESTS = Set.of(DynamoDbLockEmbeddedAutoConfiguration.CLIENT,
			DynamoDbLockEmbeddedAutoConfiguration.CLIENT_OF_TEST, DynamoDbLockConnectionAutoConfiguration.CLIENT);

	private static final String DAX_PACKAGE = "software.amazon.dax.";

	/**
	 * Selects the client.
	 * @throws IllegalStateException if it is ambiguous, if locks cannot rely on it, or if
	 * properties describe a client that would not be used
	 */
	static SelectedDynamoDbClient in(ConfigurableListableBeanFactory beanFactory, DynamoDbLockProperties properties) {
		SelectedDynamoDbClient selected;
		try {
			selected = select(beanFactory);
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IllegalStateException("There are several DynamoDbClient beans " + ex.getBeanNamesFound()
					+ ", and it is not clear which one locks should use. Mark exactly one with @LockDynamoDbClient or, "
					+ "if none has that annotation, with @Primary", ex);
		}
		selected.refuseCache();
		if (!selected.isOwn() && !selected.isForTests() && !properties.dynamodb().isEmpty()) {
			throw new LockSetupException(
					"The properties " + DynamoDbLockProperties.PREFIX + ".dynamodb.* would have no effect, because the "
							+ "application's DynamoDbClient bean '" + selected.beanName + "' is used.",
					"Configure that bean, or remove the properties.", null);
		}
		return selected;
	}

	private static SelectedDynamoDbClient select(ConfigurableListableBeanFactory beanFactory) {
		List<String> marked = Arrays
			.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, DynamoDbClient.class))
			.filter((name) -> beanFactory.findAnnotationOnBean(name, LockDynamoDbClient.class) != null)
			.toList();
		if (marked.size() > 1) {
			throw new NoUniqueBeanDefinitionException(DynamoDbClient.class, marked);
		}
		if (marked.isEmpty()) {
			NamedBeanHolder<DynamoDbClient> unique = beanFactory.resolveNamedBean(DynamoDbClient.class);
			return new SelectedDynamoDbClient(unique.getBeanName(), unique.getBeanInstance());
		}
		return new SelectedDynamoDbClient(marked.get(0), beanFactory.getBean(marked.get(0), DynamoDbClient.class));
	}

	private void refuseCache() {
		for (Class<?> type = AopProxyUtils.ultimateTargetClass(this.client); type != null; type = type
			.getSuperclass()) {
			if (type.getName().startsWith(DAX_PACKAGE)) {
				throw new IllegalStateException("The DynamoDbClient bean '" + this.beanName + "' is a client of "
						+ "DynamoDB Accelerator (" + type.getName() + "), which locks cannot rely on: it answers reads "
						+ "from a cache, which may lack the latest writes of other clients. Define another "
						+ "DynamoDbClient bean, without DAX, and mark it with @LockDynamoDbClient");
			}
		}
	}

	boolean isForTests() {
		return FOR_TESTS.contains(this.beanName);
	}

	boolean isOwn() {
		return this.beanName.equals(OWN);
	}

	/** Returns where the client sends its requests, as the end of a sentence. */
	String place() {
		return where(", for region ", " at ");
	}

	/** Returns where the client sends its requests, as AWS CLI options. */
	String commandLineOptions() {
		return where(" --region ", " --endpoint-url ");
	}

	private String where(String beforeRegion, String beforeEndpoint) {
		try {
			DynamoDbServiceClientConfiguration configuration = this.client.serviceClientConfiguration();
			return beforeRegion + configuration.region()
					+ configuration.endpointOverride().map((endpoint) -> beforeEndpoint + endpoint).orElse("");
		}
		catch (RuntimeException ex) {
			// A wrapper around the SDK's client may not support this.
			return "";
		}
	}

}

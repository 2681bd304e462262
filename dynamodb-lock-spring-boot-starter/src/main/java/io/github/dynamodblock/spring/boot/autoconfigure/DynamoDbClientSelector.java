/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Selects the DynamoDbClient bean of a lock client.
 */
final class DynamoDbClientSelector {

	private static final String DAX_PACKAGE = "software.amazon.dax.";

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockClientProperties properties;

	DynamoDbClientSelector(ConfigurableListableBeanFactory beanFactory, LockClientProperties properties) {
		this.beanFactory = beanFactory;
		this.properties = properties;
	}

	/**
	 * Selects the client.
	 * @return the client
	 * @throws IllegalStateException if it is not clear which one to use, or locks cannot
	 * rely on it
	 * @throws InvalidConfigurationPropertyValueException if a client is configured that
	 * would not be used
	 */
	SelectedDynamoDbClient select() {
		String beanName = beanName();
		SelectedDynamoDbClient selected = new SelectedDynamoDbClient(beanName,
				this.beanFactory.getBean(beanName, DynamoDbClient.class));
		refuseCache(selected);
		return selected;
	}

	private String beanName() {
		String lockClient = this.properties.name();
		boolean configuredOwn = this.properties.hasSeparateDynamoDbClient();
		String qualified = qualified(lockClient);
		if (qualified != null) {
			if (configuredOwn || lockClient.equals(LockClientProperties.DEFAULT)) {
				refuseUnusedProperties(qualified);
			}
			return qualified;
		}
		String common = common();
		if (!configuredOwn) {
			refuseUnusedProperties(common);
			return common;
		}
		boolean usesTestsClient = SelectedDynamoDbClient.isForTests(common)
				&& this.properties.values().dynamodb().endpoint() == null;
		return usesTestsClient ? common : own(lockClient);
	}

	/** Beans are settled when the application is processed ahead of time. */
	private String own(String lockClient) {
		String name = SelectedDynamoDbClient.ownName(lockClient);
		if (!this.beanFactory.containsBean(name)) {
			String property = this.properties.property("dynamodb.*");
			throw new IllegalStateException("Lock client '" + lockClient + "' has properties under " + property
					+ ", but there is no bean '" + name + "' to make its DynamoDbClient, because none of them was set "
					+ "when the application was processed ahead of time. Set one of " + property
					+ " then, too, such as the region; the values are read when the application runs");
		}
		return name;
	}

	/** The bean of all lock clients that have no separate one. */
	private String common() {
		String qualified = qualified("");
		if (qualified != null) {
			return qualified;
		}
		List<String> names = Arrays
			.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, DynamoDbClient.class))
			.filter((name) -> !SelectedDynamoDbClient.isOwn(name) && isDefaultCandidate(name))
			.toList();
		if (names.size() > 1) {
			return primary(names);
		}
		return names.isEmpty() ? SelectedDynamoDbClient.OWN : names.get(0);
	}

	private String primary(List<String> names) {
		try {
			return this.beanFactory.resolveNamedBean(DynamoDbClient.class).getBeanName();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new IllegalStateException("There are several DynamoDbClient beans (" + String.join(", ", names)
					+ "), and it is not clear which one locks are to use. Mark one with @LockDynamoDbClient or with "
					+ "@Primary, or define a LockClient bean with the right one", ex);
		}
	}

	private @Nullable String qualified(String value) {
		Map<String, LockDynamoDbClient> qualified = new LinkedHashMap<>();
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory,
				DynamoDbClient.class)) {
			LockDynamoDbClient qualifier = this.beanFactory.findAnnotationOnBean(name, LockDynamoDbClient.class);
			if (qualifier != null && qualifier.value().equals(value)) {
				qualified.put(name, qualifier);
			}
		}
		if (qualified.size() > 1) {
			throw new IllegalStateException("There are several DynamoDbClient beans with @LockDynamoDbClient"
					+ (value.isEmpty() ? "" : "(\"" + value + "\")") + " (" + String.join(", ", qualified.keySet())
					+ "), and it is not clear which one locks are to use. Take the annotation off all but one");
		}
		return qualified.isEmpty() ? null : qualified.keySet().iterator().next();
	}

	private boolean isDefaultCandidate(String name) {
		return !this.beanFactory.containsBeanDefinition(name)
				|| !(this.beanFactory.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition)
				|| (definition.isAutowireCandidate() && definition.isDefaultCandidate());
	}

	private void refuseUnusedProperties(String beanName) {
		if (SelectedDynamoDbClient.isOwn(beanName) || SelectedDynamoDbClient.isForTests(beanName)) {
			return;
		}
		DynamoDbLockProperties.DynamoDb client = this.properties.values().dynamodb();
		refuse("dynamodb.region", client.region(), beanName);
		refuse("dynamodb.endpoint", client.endpoint(), beanName);
		refuse("dynamodb.access-key", client.accessKey(), beanName);
		refuse("dynamodb.secret-key", (client.secretKey() != null) ? "******" : null, beanName);
		refuse("dynamodb.session-token", (client.sessionToken() != null) ? "******" : null, beanName);
		refuse("dynamodb.profile", client.profile(), beanName);
	}

	private void refuse(String property, @Nullable Object value, String beanName) {
		if (value != null) {
			throw this.properties.refusal(property, value,
					"It would have no effect, because the application's DynamoDbClient " + "bean '" + beanName
							+ "' is used. Configure that bean, or remove the property.");
		}
	}

	private static void refuseCache(SelectedDynamoDbClient selected) {
		for (Class<?> type = AopProxyUtils.ultimateTargetClass(selected.client()); type != null; type = type
			.getSuperclass()) {
			if (type.getName().startsWith(DAX_PACKAGE)) {
				throw new IllegalStateException("The DynamoDbClient bean '" + selected.beanName() + "' is a client of "
						+ "DynamoDB Accelerator (" + type.getName() + "), which locks cannot rely on: it answers reads "
						+ "from a cache, which knows nothing of what others wrote since. Define another DynamoDbClient "
						+ "bean, without DAX, and mark it with @LockDynamoDbClient");
			}
		}
	}

}

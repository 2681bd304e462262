/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Map;

import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.StringUtils;

/**
 * Registers the lock clients under {@code dynamodb-lock.clients}, and their
 * DynamoDbClients where they have their own. They are injected by name only.
 */
class LockClientsRegistrar implements ImportBeanDefinitionRegistrar {

	private static final String CLIENTS = DynamoDbLockProperties.PREFIX + ".clients";

	private final Environment environment;

	LockClientsRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importingClass, BeanDefinitionRegistry registry) {
		configured(this.environment).forEach((name, own) -> {
			if (!(own instanceof Map<?, ?> properties)) {
				throw new InvalidConfigurationPropertyValueException(CLIENTS + "." + name, own,
						"A lock client is configured by properties under its name. Set one of them, such as " + CLIENTS
								+ "." + name + ".table.name, or remove the name.");
			}
			refuseTakenName(name, registry);
			registry.registerBeanDefinition(name, definition(LockClient.class, "create", name));
			if (hasSeparateDynamoDbClient(properties)) {
				RootBeanDefinition dynamoDb = definition(DynamoDbClient.class, "createDynamoDbClient", name);
				dynamoDb.setLazyInit(true);
				registry.registerBeanDefinition(SelectedDynamoDbClient.ownName(name), dynamoDb);
			}
		});
	}

	/**
	 * The clients by name, with their properties as they are written: those that have a
	 * type may be unknown still when an application is processed ahead of time.
	 */
	static Map<String, Object> configured(Environment environment) {
		return DynamoDbLockProperties.distinct(
				Binder.get(environment).bind(CLIENTS, Bindable.mapOf(String.class, Object.class)).orElseGet(Map::of));
	}

	private static boolean hasSeparateDynamoDbClient(Map<?, ?> properties) {
		return properties.entrySet()
			.stream()
			.filter((property) -> "dynamodb".equalsIgnoreCase(String.valueOf(property.getKey()).replace("-", "")))
			.anyMatch((property) -> property.getValue() instanceof Map<?, ?> own
					&& own.values().stream().anyMatch((value) -> StringUtils.hasText(String.valueOf(value))));
	}

	private static void refuseTakenName(String name, BeanDefinitionRegistry registry) {
		if (registry.isBeanNameInUse(name) || name.equals(LockClientProperties.DEFAULT)) {
			String taken = registry.containsBeanDefinition(name)
					? registry.getBeanDefinition(name).getResourceDescription() : null;
			throw new IllegalStateException("The lock client of " + DynamoDbLockProperties.PREFIX + ".clients." + name
					+ ".* cannot be the bean '" + name + "', because there is another bean of this name"
					+ ((taken != null) ? ", from " + taken : "") + ". Choose another name under "
					+ DynamoDbLockProperties.PREFIX + ".clients, or rename the bean");
		}
	}

	/** Made of texts alone, so that it can be written down ahead of time. */
	private static RootBeanDefinition definition(Class<?> type, String method, String name) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(type);
		definition.setFactoryBeanName(DynamoDbLockClientAutoConfiguration.FACTORY);
		definition.setFactoryMethodName(method);
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		definition.setDestroyMethodName(AbstractBeanDefinition.INFER_METHOD);
		definition.setDefaultCandidate(false);
		return definition;
	}

}

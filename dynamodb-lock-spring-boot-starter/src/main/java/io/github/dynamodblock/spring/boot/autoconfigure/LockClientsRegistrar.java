/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import io.github.dynamodblock.LockClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers the lock clients under {@code dynamodb-lock.clients}, and their
 * DynamoDbClients where they have their own. They are injected by name only.
 */
class LockClientsRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	LockClientsRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata importingClass, BeanDefinitionRegistry registry) {
		DynamoDbLockProperties properties = Binder.get(this.environment)
			.bindOrCreate(DynamoDbLockProperties.PREFIX, DynamoDbLockProperties.class);
		properties.clients().forEach((name, own) -> {
			LockClientProperties client = new LockClientProperties(name, properties, this.environment);
			if (Boolean.FALSE.equals(own.enabled())) {
				throw client.refusal("enabled", false,
						"A single lock client cannot be switched off: its methods would run unlocked. Remove all "
								+ "properties under " + DynamoDbLockProperties.PREFIX + ".clients." + name
								+ ", so that there is no such client, or set " + DynamoDbLockProperties.PREFIX
								+ ".enabled=false, which switches all locks off.");
			}
			refuseTakenName(name, registry);
			registry.registerBeanDefinition(name, definition(LockClient.class, "create", name));
			if (client.hasSeparateDynamoDbClient()) {
				RootBeanDefinition dynamoDb = definition(DynamoDbClient.class, "createDynamoDbClient", name);
				dynamoDb.setLazyInit(true);
				registry.registerBeanDefinition(SelectedDynamoDbClient.ownName(name), dynamoDb);
			}
		});
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

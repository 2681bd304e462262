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
		ConfiguredLockClients configured = new ConfiguredLockClients(this.environment);
		for (String name : configured.additional()) {
			configured.refuseDisabled(name);
			refuseTakenName(name, configured, registry);
			registry.registerBeanDefinition(name,
					definition(LockClient.class, DynamoDbLockClientAutoConfiguration.FACTORY, name));
			if (configured.hasSeparateDynamoDbClient(name)) {
				RootBeanDefinition client = definition(DynamoDbClient.class,
						DynamoDbLockClientAutoConfiguration.DYNAMO_DB_CLIENT_FACTORY, name);
				client.setLazyInit(true);
				registry.registerBeanDefinition(SelectedDynamoDbClient.ownName(name), client);
			}
		}
	}

	private static void refuseTakenName(String name, ConfiguredLockClients configured,
			BeanDefinitionRegistry registry) {
		if (!registry.isBeanNameInUse(name) && !name.equals(ConfiguredLockClients.DEFAULT)) {
			return;
		}
		String taken = registry.containsBeanDefinition(name) ? registry.getBeanDefinition(name).getResourceDescription()
				: null;
		throw new IllegalStateException(
				"The lock client of " + configured.values(name).property("*") + " cannot be the bean '" + name
						+ "', because there is another bean of this name" + ((taken != null) ? ", from " + taken : "")
						+ ". Choose another name under " + PropertyValues.name("clients") + ", or rename the bean");
	}

	/** Made of texts alone, so that it can be written down ahead of time. */
	private static RootBeanDefinition definition(Class<?> type, String factory, String name) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(type);
		definition.setFactoryBeanName(factory);
		definition.setFactoryMethodName("create");
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		definition.setDestroyMethodName(AbstractBeanDefinition.INFER_METHOD);
		definition.setDefaultCandidate(false);
		return definition;
	}

}

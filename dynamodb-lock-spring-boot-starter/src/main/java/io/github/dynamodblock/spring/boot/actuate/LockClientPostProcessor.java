/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.LockClient;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.util.StringUtils;

/**
 * Decorates every lock client bean once. It does so before the bean is initialized, and
 * so before spies of tests and proxies are made: these then stand outside, and are what
 * is injected. A client that has to be initialized itself, or that a factory bean makes,
 * is decorated afterwards.
 */
abstract class LockClientPostProcessor implements BeanPostProcessor, BeanFactoryAware {

	private static final String SCOPED_TARGET = ScopedProxyUtils.getTargetBeanName("");

	private final Class<? extends LockClientDecorator> type;

	private final Set<String> postponed = ConcurrentHashMap.newKeySet();

	private @Nullable ConfigurableBeanFactory beanFactory;

	LockClientPostProcessor(Class<? extends LockClientDecorator> type) {
		this.type = type;
	}

	/**
	 * Decorates a client.
	 * @param client the client
	 * @param beanName the name by which the application knows it
	 */
	abstract LockClient decorate(LockClient client, String beanName);

	@Override
	public final void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (beanFactory instanceof ConfigurableBeanFactory configurable) ? configurable : null;
	}

	@Override
	public final Object postProcessBeforeInitialization(Object bean, String beanName) {
		if (!(bean instanceof LockClient client)) {
			return bean;
		}
		if (isInitialized(client, beanName)) {
			this.postponed.add(beanName);
			return bean;
		}
		return decorated(client, beanName);
	}

	@Override
	public final Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof LockClient client
				&& (this.postponed.contains(beanName) || isMadeByFactoryBean(beanName))) ? decorated(client, beanName)
						: bean;
	}

	private Object decorated(LockClient client, String beanName) {
		// Behind a scoped proxy stands a bean that is decorated itself.
		if (client instanceof ScopedObject || isMock(client) || LockClientDecorator.isDecorated(client, this.type)) {
			return client;
		}
		return decorate(client,
				beanName.startsWith(SCOPED_TARGET) ? beanName.substring(SCOPED_TARGET.length()) : beanName);
	}

	/** What is initialized has to be the client, and not its decoration. */
	private boolean isInitialized(LockClient client, String beanName) {
		if (client instanceof InitializingBean) {
			return true;
		}
		try {
			return this.beanFactory != null
					&& this.beanFactory.getMergedBeanDefinition(beanName) instanceof AbstractBeanDefinition definition
					&& StringUtils.hasText(definition.getInitMethodName());
		}
		catch (NoSuchBeanDefinitionException ex) {
			return false;
		}
	}

	private boolean isMadeByFactoryBean(String beanName) {
		try {
			return this.beanFactory != null && this.beanFactory.isFactoryBean(beanName);
		}
		catch (NoSuchBeanDefinitionException ex) {
			return false;
		}
	}

	/**
	 * Of an interface, Mockito always generates the class. A test stubs the mock itself.
	 */
	private static boolean isMock(LockClient client) {
		return client.getClass().getName().contains("MockitoMock");
	}

}

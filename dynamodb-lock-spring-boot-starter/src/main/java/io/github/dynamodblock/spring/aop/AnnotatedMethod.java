/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * A method of a bean to which a {@link io.github.dynamodblock.spring.DistributedLock}
 * applies.
 *
 * @param beanName the bean
 * @param beanClass the bean's class, behind any proxy
 * @param method the method
 */
record AnnotatedMethod(String beanName, Class<?> beanClass, Method method) {

	String location() {
		return DistributedLockAnnotations.describe(this.method, this.beanClass);
	}

	/**
	 * The bean, if it is a singleton that has been made, or is due to be: whether the
	 * product of a factory that exists has been made is not to be known without making
	 * it, unless it is to be made late.
	 * @param beanFactory where it lives
	 * @return the bean with its proxy, or {@code null}
	 */
	@Nullable Object instance(ConfigurableListableBeanFactory beanFactory) {
		Object bean = beanFactory.containsSingleton(this.beanName) ? beanFactory.getSingleton(this.beanName) : null;
		return (bean instanceof FactoryBean<?> factory) ? product(beanFactory, factory) : bean;
	}

	@SuppressWarnings("EqualsNull") // what stands for a product that is null equals it
	private @Nullable Object product(ConfigurableListableBeanFactory beanFactory, FactoryBean<?> factory) {
		boolean late = beanFactory.containsBeanDefinition(this.beanName)
				&& beanFactory.getMergedBeanDefinition(this.beanName).isLazyInit();
		if (late || !factory.isSingleton()) {
			return null;
		}
		Object product = beanFactory.getBean(this.beanName);
		return product.equals(null) ? null : product;
	}

}

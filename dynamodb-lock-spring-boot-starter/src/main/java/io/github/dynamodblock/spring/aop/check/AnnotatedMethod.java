/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;

import io.github.dynamodblock.spring.aop.definition.DistributedLockAnnotations;
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
 * @param bean the bean with its proxy, or {@code null} if it is made later
 */
record AnnotatedMethod(String beanName, Class<?> beanClass, Method method, @Nullable Object bean) {

	String location() {
		return DistributedLockAnnotations.describe(this.method, this.beanClass);
	}

	/**
	 * The method with its bean, if that is a singleton that has been made, or is due to
	 * be: whether the product of a factory that exists has been made is not to be known
	 * without making it, unless it is to be made late.
	 * @param beanFactory where the bean lives
	 * @return the method of the bean
	 */
	AnnotatedMethod ofSingleton(ConfigurableListableBeanFactory beanFactory) {
		Object singleton = beanFactory.containsSingleton(this.beanName) ? beanFactory.getSingleton(this.beanName)
				: null;
		return new AnnotatedMethod(this.beanName, this.beanClass, this.method,
				(singleton instanceof FactoryBean<?> factory) ? product(beanFactory, factory) : singleton);
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.DistributedLockAnnotations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * A method of a bean to which a {@link DistributedLock} applies.
 *
 * @param beanName the bean
 * @param beanClass the bean's class, behind any proxy
 * @param method the method
 * @param bean the bean with its proxy, or {@code null} if it is made later
 */
record AnnotatedMethod(String beanName, Class<?> beanClass, Method method, @Nullable Object bean) {

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedMethod.class);

	String location() {
		return DistributedLockAnnotations.describe(this.method, this.beanClass);
	}

	InvalidDistributedLockException invalid(String problem) {
		return new InvalidDistributedLockException(location(), null, problem, null);
	}

	/** Finds the annotated methods of all beans, in the same order each time. */
	static List<AnnotatedMethod> findAll(ConfigurableListableBeanFactory beanFactory) {
		List<AnnotatedMethod> found = new ArrayList<>();
		for (String beanName : beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = AutoProxyUtils.determineTargetClass(beanFactory, beanName);
			if (type != null) {
				found.addAll(find(beanName, type, null));
			}
		}
		return found;
	}

	/**
	 * Finds the annotated methods of a bean that has been made.
	 * @param beanName the bean
	 * @param bean the bean with its proxy
	 * @return the methods in the order of their locations
	 */
	static List<AnnotatedMethod> find(String beanName, Object bean) {
		Class<?> type = AdviceChain.of(bean).lockedClass();
		return (type != null) ? find(beanName, type, bean) : List.of();
	}

	private static List<AnnotatedMethod> find(String beanName, Class<?> type, @Nullable Object bean) {
		if (type.getName().startsWith("org.springframework.")
				|| !AnnotationUtils.isCandidateClass(type, DistributedLock.class)) {
			return List.of();
		}
		Class<?> beanClass = ClassUtils.getUserClass(type);
		return methods(beanClass).stream()
			.map((method) -> new AnnotatedMethod(beanName, DistributedLockAnnotations.beanClass(method, beanClass),
					method, bean))
			.sorted(Comparator.comparing(AnnotatedMethod::location))
			.toList();
	}

	static Set<Method> methods(Class<?> beanClass) {
		try {
			return MethodIntrospector.selectMethods(beanClass,
					(Method method) -> DistributedLockAnnotations.find(method, beanClass) != null);
		}
		catch (IllegalStateException | LinkageError ex) {
			// A class that refers to types which are not there cannot be proxied either.
			logger.debug("The methods of {} cannot be looked at", beanClass.getName(), ex);
			return Set.of();
		}
	}

	/**
	 * The method with its bean, if that is a singleton that has been made, or is due to
	 * be: whether the product of a factory that exists has been made is not to be known
	 * without making it, unless it is to be made late.
	 * @param beanFactory where the bean lives
	 * @return the method of the bean
	 */
	@SuppressWarnings("EqualsNull") // what stands for a bean that is null equals it
	AnnotatedMethod ofSingleton(ConfigurableListableBeanFactory beanFactory) {
		Object made = beanFactory.containsSingleton(this.beanName) ? beanFactory.getSingleton(this.beanName) : null;
		if (made instanceof FactoryBean<?> factory) {
			boolean late = beanFactory.containsBeanDefinition(this.beanName)
					&& beanFactory.getMergedBeanDefinition(this.beanName).isLazyInit();
			made = (late || !factory.isSingleton()) ? null : beanFactory.getBean(this.beanName);
		}
		return (made == null || made.equals(null)) ? this
				: new AnnotatedMethod(this.beanName, this.beanClass, this.method, made);
	}

}

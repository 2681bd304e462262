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
import io.github.dynamodblock.spring.aop.definition.DistributedLockAnnotations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the annotated methods of beans, without making a bean, and in the same order each
 * time.
 */
final class AnnotatedMethods {

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedMethods.class);

	private AnnotatedMethods() {
	}

	static List<AnnotatedMethod> find(ConfigurableListableBeanFactory beanFactory) {
		List<AnnotatedMethod> found = new ArrayList<>();
		for (String beanName : beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = AutoProxyUtils.determineTargetClass(beanFactory, beanName);
			if (type != null) {
				found.addAll(of(beanName, type, null));
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
	static List<AnnotatedMethod> of(String beanName, Object bean) {
		Class<?> type = AdviceChain.lockedClass(bean);
		return (type != null) ? of(beanName, type, bean) : List.of();
	}

	private static List<AnnotatedMethod> of(String beanName, Class<?> type, @Nullable Object bean) {
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

}

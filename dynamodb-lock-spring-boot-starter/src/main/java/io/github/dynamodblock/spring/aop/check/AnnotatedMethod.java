/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;

/**
 * A method of a bean to which a {@link DistributedLock} applies.
 *
 * @param beanName the bean
 * @param bean the bean with its proxies
 * @param advice what stands before the bean
 * @param beanClass the bean's class, behind any proxy
 * @param method the method
 */
record AnnotatedMethod(String beanName, Object bean, AdviceChain advice, Class<?> beanClass, Method method) {

	String location() {
		return LockDefinitions.describe(this.method, this.beanClass);
	}

	InvalidDistributedLockException invalid(String problem) {
		return new InvalidDistributedLockException(location(), null, problem, null);
	}

	/**
	 * Finds the annotated methods of a bean.
	 * @param beanName the bean
	 * @param bean the bean with its proxies
	 * @param definitions the definitions of annotated methods
	 * @return the methods in the order of their locations
	 */
	static List<AnnotatedMethod> find(String beanName, Object bean, LockDefinitions definitions) {
		AdviceChain advice = AdviceChain.of(bean);
		Class<?> type = advice.lockedClass();
		return (type == null) ? List.of()
				: definitions.loadableMethods(type)
					.stream()
					.map((method) -> new AnnotatedMethod(beanName, bean, advice,
							LockDefinitions.beanClass(method, type), method))
					.sorted(Comparator.comparing(AnnotatedMethod::location))
					.toList();
	}

}

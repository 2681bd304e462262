/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.DistributedLockAnnotations;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedMethod.class);

	String location() {
		return DistributedLockAnnotations.describe(this.method, this.beanClass);
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
				: methods(type, definitions::methods).stream()
					.map((method) -> new AnnotatedMethod(beanName, bean, advice,
							DistributedLockAnnotations.beanClass(method, type), method))
					.sorted(Comparator.comparing(AnnotatedMethod::location))
					.toList();
	}

	/**
	 * The annotated methods of a class, or none if it refers to types which are not
	 * there: then it cannot be proxied either.
	 */
	static Set<Method> methods(Class<?> type, Function<Class<?>, Set<Method>> find) {
		try {
			return find.apply(type);
		}
		catch (IllegalStateException | LinkageError ex) {
			logger.debug("The methods of {} cannot be looked at", type.getName(), ex);
			return Set.of();
		}
	}

}

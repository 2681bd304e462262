/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Collectors;

import io.github.dynamodblock.spring.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Which annotation applies to a method: that of the method, of a method that it
 * overrides, of its class, or of an interface, in this order. The same answer whether the
 * call comes through an interface or a class.
 */
final class DistributedLockAnnotations {

	private DistributedLockAnnotations() {
	}

	/**
	 * Finds the annotation of a method.
	 * @param method the method, maybe one of an interface
	 * @param targetClass the class of the bean behind any proxy
	 * @return the annotation with its aliases resolved, or {@code null}
	 */
	static @Nullable DistributedLock find(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		DistributedLock annotation = AnnotatedElementUtils.findMergedAnnotation(specific, DistributedLock.class);
		if (annotation == null && isGuardedByItsClass(specific)) {
			annotation = AnnotatedElementUtils.findMergedAnnotation(ClassUtils.getUserClass(targetClass),
					DistributedLock.class);
		}
		return annotation;
	}

	private static boolean isGuardedByItsClass(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& method.getDeclaringClass() != Object.class && ClassUtils.isUserLevelMethod(method);
	}

	/**
	 * A method as messages show it.
	 * @param method the method
	 * @param targetClass the class of the bean
	 * @return the class and the method with its parameters' types
	 */
	static String describe(Method method, Class<?> targetClass) {
		return ClassUtils.getUserClass(targetClass).getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

}

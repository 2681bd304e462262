/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.dynamodblock.spring.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Which annotation applies to a method: that of the method, of a method that it
 * overrides, of its class, or of an interface, in this order. The same answer whether the
 * call comes through an interface or a class.
 */
public final class DistributedLockAnnotations {

	private DistributedLockAnnotations() {
	}

	/**
	 * Finds the annotation of a method.
	 * @param method the method, maybe one of an interface
	 * @param targetClass the class of the bean behind any proxy
	 * @return the annotation with its aliases resolved, or {@code null}
	 */
	public static @Nullable DistributedLock find(Method method, Class<?> targetClass) {
		Class<?> beanClass = beanClass(method, targetClass);
		Method specific = AopUtils.getMostSpecificMethod(method, beanClass);
		DistributedLock annotation = AnnotatedElementUtils.findMergedAnnotation(specific, DistributedLock.class);
		if (annotation == null && isGuardedByItsClass(specific)) {
			annotation = AnnotatedElementUtils.findMergedAnnotation(beanClass, DistributedLock.class);
		}
		return annotation;
	}

	/**
	 * Finds the annotated methods of a class.
	 * @param type the class of a bean, maybe a proxy
	 * @return the methods; empty for most classes
	 * @throws IllegalStateException if the class refers to types that are not there
	 */
	public static Set<Method> methods(Class<?> type) {
		Class<?> beanClass = ClassUtils.getUserClass(type);
		if (beanClass.getName().startsWith("org.springframework.")
				|| !AnnotationUtils.isCandidateClass(beanClass, DistributedLock.class)) {
			return Set.of();
		}
		return MethodIntrospector.selectMethods(beanClass, (Method method) -> find(method, beanClass) != null);
	}

	/**
	 * The class that a method of a bean is looked at in, the same for pointcut, check and
	 * call. Where the bean is a JDK proxy itself, such as a repository, it is the proxy's
	 * interface that has the method: what is behind is not known to all of them.
	 * @param method the method, maybe one of an interface
	 * @param targetClass the class of what the advice stands before
	 * @return the class as it is written, or the interface
	 */
	public static Class<?> beanClass(Method method, Class<?> targetClass) {
		if (!Proxy.isProxyClass(targetClass)) {
			return ClassUtils.getUserClass(targetClass);
		}
		return Arrays.stream(targetClass.getInterfaces())
			.filter(method.getDeclaringClass()::isAssignableFrom)
			.findFirst()
			.orElse(method.getDeclaringClass());
	}

	private static boolean isGuardedByItsClass(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !ReflectionUtils.isObjectMethod(method) && ClassUtils.isUserLevelMethod(method);
	}

	/**
	 * A method as messages show it.
	 * @param method the method
	 * @param targetClass the class of the bean
	 * @return the class and the method with its parameters' types
	 */
	public static String describe(Method method, Class<?> targetClass) {
		return ClassUtils.getUserClass(targetClass).getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes())
					.map(Class::getSimpleName)
					.collect(Collectors.joining(", ", "(", ")"));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The method that is called instead if the lock is not granted. It has been made
 * accessible, and takes the arguments of the annotated method. Immutable.
 *
 * @param method the method of the bean's class
 * @param exceptionIndex the index of the parameter for the exception, or -1 if there is
 * none
 */
public record Fallback(Method method, int exceptionIndex) {

	/**
	 * Finds the fallback of an annotated method.
	 * @param name the name of the fallback
	 * @param method the annotated method
	 * @param beanClass the class of the bean
	 * @return a method with the same parameters and one for the exception, or else a
	 * method with only the same parameters. {@code null} if there is none, or if it has
	 * another return type, or a lock that the call would bypass.
	 */
	static @Nullable Fallback find(String name, Method method, Class<?> beanClass) {
		List<Class<?>> parameters = List.of(method.getParameterTypes());
		// The last parameter of a suspend function is its continuation.
		int index = KotlinDetector.isSuspendingFunction(method) ? parameters.size() - 1 : parameters.size();
		Class<?> exception = LockNotGrantedException.class;
		while (exception != null && exception != Object.class) {
			Method found = find(name, method, beanClass, with(parameters, index, exception));
			if (found != null) {
				return new Fallback(found, index);
			}
			exception = exception.getSuperclass();
		}
		Method found = find(name, method, beanClass, parameters);
		return (found != null) ? new Fallback(found, -1) : null;
	}

	private static @Nullable Method find(String name, Method method, Class<?> beanClass, List<Class<?>> parameters) {
		Method found = ReflectionUtils.findMethod(beanClass, name, parameters.toArray(Class<?>[]::new));
		if (found == null || found.equals(method)
				|| !ClassUtils.isAssignable(ReturnKind.declaredType(method), ReturnKind.declaredType(found))
				|| AnnotatedElementUtils.hasAnnotation(found, DistributedLock.class)) {
			return null;
		}
		ReflectionUtils.makeAccessible(found);
		return found;
	}

	private static <T extends @Nullable Object> List<T> with(List<T> elements, int index, T added) {
		List<T> extended = new ArrayList<>(elements);
		extended.add(index, added);
		return extended;
	}

	/**
	 * Calls the method.
	 * @param target the object that was called. If it is a proxy, the innermost object
	 * with the method is used.
	 * @param arguments the arguments of the call
	 * @param refusal why the lock was not granted
	 * @return the method's result, or a Mono of it for a suspend function
	 * @throws Throwable the method's exception
	 */
	public @Nullable Object invoke(Object target, @Nullable Object[] arguments, LockNotGrantedException refusal)
			throws Throwable {
		return AopUtils.invokeJoinpointUsingReflection(receiver(target), this.method, (this.exceptionIndex < 0)
				? arguments : with(Arrays.asList(arguments), this.exceptionIndex, refusal).toArray());
	}

	/**
	 * Returns the innermost object that has the method. Private methods must not run on a
	 * class proxy, because its fields are empty. For a repository, this is the proxy,
	 * because the object behind it does not have the methods of the repository's
	 * interface.
	 */
	private Object receiver(Object target) {
		Object receiver = target;
		for (Object each = target; each != null; each = AopProxyUtils.getSingletonTarget(each)) {
			if (this.method.getDeclaringClass().isInstance(each)) {
				receiver = each;
			}
		}
		return receiver;
	}

}

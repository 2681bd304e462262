/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;

import org.springframework.aop.support.AopUtils;

/**
 * A proxy can put the advice before the method.
 */
final class AdviceCheck implements AnnotatedMethodCheck {

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		Method method = annotated.method();
		if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
			throw unlocked(
					annotated, "no proxy can stand before a "
							+ (Modifier.isStatic(method.getModifiers()) ? "static" : "private") + " method",
					"Annotate a method that other beans call");
		}
		Object bean = annotated.bean();
		if (Modifier.isFinal(method.getModifiers()) && !(bean != null && Proxy.isProxyClass(bean.getClass()))) {
			throw unlocked(annotated, "the proxy cannot override a final method", "Remove 'final'");
		}
		if (bean != null && AopUtils.isCglibProxy(bean) && !isVisible(method, bean.getClass())) {
			throw unlocked(annotated,
					"the proxy cannot override a package-private method of another package or class loader",
					"Make it protected or public");
		}
	}

	private static InvalidDistributedLockException unlocked(AnnotatedMethod annotated, String why, String remedy) {
		return new InvalidDistributedLockException(annotated.location(), null,
				why + ", so it would run without the lock. " + remedy, null);
	}

	private static boolean isVisible(Method method, Class<?> proxyClass) {
		Class<?> declaring = method.getDeclaringClass();
		return Modifier.isPublic(method.getModifiers()) || Modifier.isProtected(method.getModifiers())
				|| (declaring.getClassLoader() == proxyClass.getClassLoader()
						&& declaring.getPackageName().equals(proxyClass.getPackageName()));
	}

}

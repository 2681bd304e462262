/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Tells whether a call of an annotated method meets the advice that takes the lock.
 */
final class AdviceCheck {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Advisor advisor;

	AdviceCheck(ConfigurableListableBeanFactory beanFactory, Advisor advisor) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
	}

	/**
	 * Checks one method.
	 * @param annotated the method
	 * @throws InvalidDistributedLockException if calls of it would not meet the advice
	 */
	void check(AnnotatedMethod annotated) {
		Method method = annotated.method();
		if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
			throw unlocked(
					annotated, "no proxy can stand before a "
							+ (Modifier.isStatic(method.getModifiers()) ? "static" : "private") + " method",
					"Annotate a method that other beans call");
		}
		Object bean = instance(annotated.beanName());
		if (Modifier.isFinal(method.getModifiers()) && !(bean != null && Proxy.isProxyClass(bean.getClass()))) {
			throw unlocked(annotated, "the proxy cannot override a final method", "Remove 'final'");
		}
		if (bean != null && !isAdvised(bean)) {
			throw unlocked(annotated,
					"bean '" + annotated.beanName() + "' was made without the advice, because something, "
							+ "often a BeanPostProcessor, asked for it too early in the start-up",
					"Let that something ask for it later, for example by ObjectProvider or @Lazy");
		}
		if (bean != null && AopUtils.isCglibProxy(bean) && !isVisible(method, bean.getClass())) {
			throw unlocked(annotated,
					"the proxy cannot override a package-private method of another package or class " + "loader",
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

	private @Nullable Object instance(String beanName) {
		Object bean = this.beanFactory.containsSingleton(beanName) ? this.beanFactory.getSingleton(beanName) : null;
		return (bean instanceof FactoryBean) ? null : bean;
	}

	private boolean isAdvised(Object bean) {
		if (!(bean instanceof Advised advised)) {
			// An opaque proxy does not tell; a plain object has no advice at all.
			return AopUtils.isAopProxy(bean);
		}
		for (Advisor candidate : advised.getAdvisors()) {
			if (candidate == this.advisor) {
				return true;
			}
		}
		try {
			Object target = advised.getTargetSource().isStatic() ? advised.getTargetSource().getTarget() : null;
			return target != null && isAdvised(target);
		}
		catch (Exception ex) {
			throw new IllegalStateException("The target of " + bean.getClass().getName() + " cannot be had", ex);
		}
	}

}

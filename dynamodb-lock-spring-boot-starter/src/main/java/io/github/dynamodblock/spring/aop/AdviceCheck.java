/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.aopalliance.aop.Advice;

import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * A call of the method meets the advice that takes the lock.
 */
final class AdviceCheck implements AnnotatedMethodCheck {

	// Spring makes no proxies of these.
	private static final List<Class<?>> INFRASTRUCTURE = List.of(Advice.class, Advisor.class, Pointcut.class,
			AopInfrastructureBean.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Advisor advisor;

	AdviceCheck(ConfigurableListableBeanFactory beanFactory, Advisor advisor) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
	}

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		Method method = annotated.method();
		if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
			throw unlocked(
					annotated, "no proxy can stand before a "
							+ (Modifier.isStatic(method.getModifiers()) ? "static" : "private") + " method",
					"Annotate a method that other beans call");
		}
		Object bean = annotated.instance(this.beanFactory);
		if (bean != null && Mocks.isMock(bean)) {
			return;
		}
		if (Modifier.isFinal(method.getModifiers()) && !(bean != null && Proxy.isProxyClass(bean.getClass()))) {
			throw unlocked(annotated, "the proxy cannot override a final method", "Remove 'final'");
		}
		if (bean != null && !isAdvised(bean)) {
			throw withoutAdvice(annotated, bean);
		}
		if (bean != null && AopUtils.isCglibProxy(bean) && !isVisible(method, bean.getClass())) {
			throw unlocked(annotated,
					"the proxy cannot override a package-private method of another package or class loader",
					"Make it protected or public");
		}
	}

	private boolean isAdvised(Object bean) {
		AdviceChain chain = AdviceChain.of(bean);
		return !chain.complete() || chain.advisors().contains(this.advisor);
	}

	private InvalidDistributedLockException withoutAdvice(AnnotatedMethod annotated, Object bean) {
		String subject = "bean '" + annotated.beanName() + "' ";
		if (INFRASTRUCTURE.stream().anyMatch((type) -> type.isInstance(bean))) {
			return unlocked(annotated, subject + "is part of Spring's AOP, and gets no advice itself",
					"Move the method to a bean of its own");
		}
		if (!this.beanFactory.containsBeanDefinition(annotated.beanName())) {
			return unlocked(annotated,
					subject + "was registered as a ready object, before which no advice can be put any more",
					"Register a bean definition instead, such as a @Bean method");
		}
		return unlocked(annotated,
				subject + "was made without the advice, because something, "
						+ "often a BeanPostProcessor, asked for it too early in the start-up",
				"Let that something ask for it later, for example by ObjectProvider or @Lazy");
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

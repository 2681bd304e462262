/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Proxy;
import java.util.List;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds beans that were made without the advice: their annotated methods run without the
 * lock.
 */
final class UnadvisedBeans {

	// Spring makes no proxies of these.
	private static final List<Class<?>> INFRASTRUCTURE = List.of(Advice.class, Advisor.class, Pointcut.class,
			AopInfrastructureBean.class);

	// By name: spring-test need not be there. It registers this bean in a context whose
	// test replaces beans, such as by @MockitoBean or @TestBean.
	private static final String BEAN_OVERRIDES = "org.springframework.test.context.bean.override.internalBeanOverrideRegistry";

	private final ConfigurableListableBeanFactory beanFactory;

	private final Advisor advisor;

	UnadvisedBeans(ConfigurableListableBeanFactory beanFactory, Advisor advisor) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
	}

	/**
	 * Why the bean of a method has no advice.
	 * @param annotated the method
	 * @return what is wrong and how to fix it, or {@code null} if the bean has the advice
	 * or is made later
	 */
	@Nullable InvalidDistributedLockException find(AnnotatedMethod annotated) {
		Object bean = annotated.bean();
		if (bean == null || isAdvised(bean) || isProxyBehind(bean, annotated.beanName())) {
			return null;
		}
		String subject = "bean '" + annotated.beanName() + "' ";
		if (INFRASTRUCTURE.stream().anyMatch((type) -> type.isInstance(bean))) {
			return unlocked(annotated, subject + "is part of Spring's AOP, and gets no advice itself",
					"Move the method to a separate bean");
		}
		if (!this.beanFactory.containsBeanDefinition(annotated.beanName())) {
			return unlocked(annotated,
					subject + "was registered as a ready object, before which no advice can be put any more",
					"Register a bean definition instead, such as a @Bean method");
		}
		return unlocked(annotated,
				subject + "was made without the advice, because something, "
						+ "often a BeanPostProcessor, asked for it too early during startup",
				"Let that something ask for it later, for example by ObjectProvider or @Lazy");
	}

	/**
	 * Whether a test replaces beans of this context. What it puts in their place gets no
	 * advice, and is not to be locked.
	 * @return whether it does
	 */
	boolean isExpected() {
		return this.beanFactory.containsSingleton(BEAN_OVERRIDES);
	}

	private boolean isAdvised(Object bean) {
		AdviceChain chain = AdviceChain.of(bean);
		return !chain.complete() || chain.advisors().contains(this.advisor);
	}

	/**
	 * Whether a post-processor has put another proxy, which hides what is behind it,
	 * before the proxy that Spring had made.
	 */
	private boolean isProxyBehind(Object bean, String beanName) {
		return Proxy.isProxyClass(bean.getClass()) && !AopUtils.isAopProxy(bean)
				&& this.beanFactory.containsBeanDefinition(beanName)
				&& this.beanFactory.getMergedBeanDefinition(beanName)
					.hasAttribute(AutoProxyUtils.ORIGINAL_TARGET_CLASS_ATTRIBUTE);
	}

	private static InvalidDistributedLockException unlocked(AnnotatedMethod annotated, String why, String remedy) {
		return new InvalidDistributedLockException(annotated.location(), null,
				why + ", so it would run without the lock. " + remedy, null);
	}

}

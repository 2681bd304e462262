/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;

/**
 * A bean has the advice, and it is outside of its transaction: one that begins outside
 * the lock commits after the release, when the next owner has already read the old data.
 */
final class AdviceCheck {

	// By name: transactions need not be there.
	private static final String TRANSACTIONS = "org.springframework.transaction.interceptor.TransactionAspectSupport";

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	AdviceCheck(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
	}

	/** Whether no advice stands before a bean that is made. */
	boolean isMissing(AnnotatedMethod annotated) {
		Object bean = annotated.bean();
		if (bean == null || isProxyBehind(bean, annotated.beanName())) {
			return false;
		}
		AdviceChain chain = AdviceChain.of(bean);
		return chain.complete() && !chain.advisors().contains(this.advisor);
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

	/** Refuses a transaction outside the lock, of a bean that is made. */
	void checkTransaction(AnnotatedMethod annotated) {
		outside(annotated).filter((candidate) -> isTransactional(candidate.getAdvice()))
			.findFirst()
			.ifPresent((transaction) -> {
				int order = (transaction instanceof Ordered ordered) ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
				throw outside(annotated, order);
			});
	}

	private InvalidDistributedLockException outside(AnnotatedMethod annotated, int order) {
		int lockOrder = this.advisor.getOrder();
		String remedy = (order > lockOrder)
				? "The order would be right: a proxy or a BeanPostProcessor that does not sort by it puts the advice "
						+ "there. Declare the advice as an Advisor bean instead"
				: "Set dynamodb-lock.advice.order to less than " + order
						+ ", or the order of @EnableTransactionManagement to more than " + lockOrder;
		return annotated.invalid("for bean '" + annotated.beanName() + "' the transaction advice (order " + order
				+ ") runs outside the lock's advice (order " + lockOrder
				+ "), so that the transaction would commit after the lock is released. " + remedy);
	}

	/** Whether calls reach the lock in the thread of an executor, if the bean is made. */
	boolean isAsynchronous(AnnotatedMethod annotated) {
		return outside(annotated).anyMatch((candidate) -> candidate.getAdvice() instanceof AsyncExecutionInterceptor);
	}

	private Stream<Advisor> outside(AnnotatedMethod annotated) {
		Object bean = annotated.bean();
		List<Advisor> advisors = (bean != null) ? AdviceChain.of(bean).advisors() : List.of();
		return advisors.subList(0, Math.max(0, advisors.indexOf(this.advisor)))
			.stream()
			.filter((candidate) -> candidate instanceof PointcutAdvisor advice
					&& applies(advice.getPointcut(), annotated));
	}

	private static boolean applies(Pointcut pointcut, AnnotatedMethod annotated) {
		return pointcut.getClassFilter().matches(annotated.beanClass())
				&& pointcut.getMethodMatcher().matches(annotated.method(), annotated.beanClass());
	}

	private static boolean isTransactional(Advice advice) {
		@Nullable Class<?> type = advice.getClass();
		while (type != null && !type.getName().equals(TRANSACTIONS)) {
			type = type.getSuperclass();
		}
		return type != null;
	}

}

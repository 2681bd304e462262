/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * The lock is taken before a transaction begins or a cache is asked. A transaction that
 * begins outside of the lock commits after the release, when the next owner has already
 * read the old data.
 */
final class AdviceOrderCheck implements AnnotatedMethodCheck {

	// By name: neither transactions nor caches need be there.
	private static final Map<String, Inside> INSIDE = Map.of(
			"org.springframework.transaction.interceptor.TransactionAspectSupport", new Inside("transaction",
					"the transaction would commit after the lock is released", "@EnableTransactionManagement"),
			"org.springframework.cache.interceptor.CacheAspectSupport",
			new Inside("cache", "the cache would be read before the lock is taken, and written after it is released",
					"@EnableCaching"),
			"org.springframework.cache.jcache.interceptor.JCacheAspectSupport",
			new Inside("cache", "the cache would be read before the lock is taken, and written after it is released",
					"@EnableCaching"));

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	private @Nullable List<Advisor> advisorBeans;

	AdviceOrderCheck(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
	}

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		Object bean = annotated.instance(this.beanFactory);
		// A bean that is not made yet will get its advisors in the order of the advisors'
		// beans.
		List<Advisor> advisors = (bean != null) ? AdviceChain.of(bean).advisors() : advisorBeans();
		for (Advisor candidate : advisors.subList(0, Math.max(0, advisors.indexOf(this.advisor)))) {
			Inside inside = applies(candidate, annotated) ? inside(candidate) : null;
			if (inside != null) {
				throw wrongOrder(annotated, inside, order(candidate));
			}
		}
	}

	private InvalidDistributedLockException wrongOrder(AnnotatedMethod annotated, Inside inside, int order) {
		return new InvalidDistributedLockException(annotated.location(), null,
				"for bean '" + annotated.beanName() + "' the " + inside.what() + " advice (order " + order
						+ ") stands outside of the lock's advice (order " + this.advisor.getOrder() + "), so that "
						+ inside.consequence() + ". Set dynamodb-lock.advice.order to less than " + order
						+ ", or the order of " + inside.enabledBy() + " to more than " + this.advisor.getOrder(),
				null);
	}

	private static boolean applies(Advisor candidate, AnnotatedMethod annotated) {
		if (!(candidate instanceof PointcutAdvisor pointcutAdvisor)) {
			return false;
		}
		Pointcut pointcut = pointcutAdvisor.getPointcut();
		return pointcut.getClassFilter().matches(annotated.beanClass())
				&& pointcut.getMethodMatcher().matches(annotated.method(), annotated.beanClass());
	}

	private static @Nullable Inside inside(Advisor candidate) {
		for (Class<?> type = candidate.getAdvice().getClass(); type != null; type = type.getSuperclass()) {
			Inside inside = INSIDE.get(type.getName());
			if (inside != null) {
				return inside;
			}
		}
		return null;
	}

	private static int order(Advisor candidate) {
		return (candidate instanceof Ordered ordered) ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
	}

	private List<Advisor> advisorBeans() {
		if (this.advisorBeans == null) {
			List<Advisor> sorted = new ArrayList<>(
					this.beanFactory.getBeansOfType(Advisor.class, true, false).values());
			AnnotationAwareOrderComparator.sort(sorted);
			this.advisorBeans = sorted;
		}
		return this.advisorBeans;
	}

	/**
	 * What must be inside of the lock, what happens otherwise, and what sets its order.
	 */
	private record Inside(String what, String consequence, String enabledBy) {
	}

}

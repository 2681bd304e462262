/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * The lock is acquired before a transaction begins. A transaction that begins outside the
 * lock commits after the release, when the next owner has already read the old data. A
 * cache outside the lock may be intended: a cache hit then takes no lock.
 */
final class AdviceOrderCheck {

	private static final Other TRANSACTION = new Other("transaction",
			"the transaction would commit after the lock is released", "@EnableTransactionManagement", true);

	private static final Other CACHE = new Other("cache",
			"a cache hit takes no lock, and a result is cached after the lock is released", "@EnableCaching", false);

	// By name: neither transactions nor caches need be there.
	private static final Map<String, Other> OTHERS = Map.of(
			"org.springframework.transaction.interceptor.TransactionAspectSupport", TRANSACTION,
			"org.springframework.cache.interceptor.CacheAspectSupport", CACHE,
			"org.springframework.cache.jcache.interceptor.JCacheAspectSupport", CACHE);

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	private final Consumer<InvalidDistributedLockException> warnings;

	private @Nullable List<Advisor> advisorBeans;

	AdviceOrderCheck(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor,
			Consumer<InvalidDistributedLockException> warnings) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
		this.warnings = warnings;
	}

	void check(AnnotatedMethod annotated) {
		Object bean = annotated.bean();
		// A bean that is not made yet will get its advisors in the order of the advisors'
		// beans.
		List<Advisor> advisors = (bean != null) ? AdviceChain.of(bean).advisors() : advisorBeans();
		for (Advisor candidate : advisors.subList(0, Math.max(0, advisors.indexOf(this.advisor)))) {
			Other other = applies(candidate, annotated) ? other(candidate) : null;
			if (other != null) {
				report(other, outside(annotated, other, order(candidate)));
			}
		}
	}

	/** Returns whether advice of a type runs outside the lock's, if the bean is made. */
	boolean isOutside(Class<?> advice, AnnotatedMethod annotated) {
		Object bean = annotated.bean();
		List<Advisor> advisors = (bean != null) ? AdviceChain.of(bean).advisors() : List.of();
		return advisors.subList(0, Math.max(0, advisors.indexOf(this.advisor)))
			.stream()
			.anyMatch((candidate) -> advice.isInstance(candidate.getAdvice()) && applies(candidate, annotated));
	}

	private void report(Other other, InvalidDistributedLockException problem) {
		if (other.refused()) {
			throw problem;
		}
		this.warnings.accept(problem);
	}

	private InvalidDistributedLockException outside(AnnotatedMethod annotated, Other other, int order) {
		int lockOrder = this.advisor.getOrder();
		String remedy = (order > lockOrder)
				? "The order would be right: a proxy or a BeanPostProcessor that does not sort by it puts the advice "
						+ "there. Declare the advice as an Advisor bean instead"
				: "Set dynamodb-lock.advice.order to less than " + order + ", or the order of " + other.enabledBy()
						+ " to more than " + lockOrder;
		return new InvalidDistributedLockException(annotated.location(), null,
				"for bean '" + annotated.beanName() + "' the " + other.what() + " advice (order " + order
						+ ") runs outside the lock's advice (order " + lockOrder + "), so that " + other.consequence()
						+ ". " + remedy,
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

	private static @Nullable Other other(Advisor candidate) {
		for (Class<?> type = candidate.getAdvice().getClass(); type != null; type = type.getSuperclass()) {
			Other other = OTHERS.get(type.getName());
			if (other != null) {
				return other;
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
	 * What may run outside the lock, what happens then, what sets its order, and whether
	 * it is refused.
	 */
	private record Other(String what, String consequence, String enabledBy, boolean refused) {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;

/**
 * What stands before a bean: the advisors of its proxy, and of the proxies behind it.
 *
 * @param advisors the advisors, the one that a call meets first at the beginning
 * @param complete whether these are all; an opaque proxy does not show it, and what
 * stands behind one with a target of each call's own is another bean
 * @param lockedClass the class whose methods the lock's advice applies to: the one that
 * it stands before, or that of the bean itself if it has no such advice; {@code null} if
 * the bean stands for another one
 */
record AdviceChain(List<Advisor> advisors, boolean complete, @Nullable Class<?> lockedClass) {

	static AdviceChain of(Object bean) {
		List<Advisor> advisors = new ArrayList<>();
		boolean complete = true;
		Class<?> lockedClass = null;
		Object current = bean;
		while (current instanceof Advised advised) {
			advisors.addAll(List.of(advised.getAdvisors()));
			if (lockedClass == null && advisors.stream().anyMatch(DistributedLockAdvisor.class::isInstance)) {
				lockedClass = advised.getTargetClass();
			}
			complete = advised.getTargetSource().isStatic();
			current = complete ? target(advised) : null;
		}
		if (current == null) {
			return new AdviceChain(advisors, complete, lockedClass);
		}
		return new AdviceChain(advisors, complete && !AopUtils.isAopProxy(current),
				(lockedClass != null) ? lockedClass : current.getClass());
	}

	private static @Nullable Object target(Advised advised) {
		try {
			return advised.getTargetSource().getTarget();
		}
		catch (Exception ex) {
			throw new IllegalStateException("The target of " + advised.getClass().getName() + " cannot be had", ex);
		}
	}

	/** The advisors that a call meets before this one. */
	Stream<Advisor> outside(Advisor advisor) {
		return this.advisors.stream().limit(Math.max(0, this.advisors.indexOf(advisor)));
	}

}

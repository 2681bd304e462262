/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import io.github.dynamodblock.spring.aop.invocation.DistributedLockAdvisor;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.SingletonTargetSource;

/**
 * A method of a bean to which a {@link DistributedLock} applies, and the advisors of the
 * bean.
 *
 * @param beanName the bean
 * @param bean the bean with its proxies
 * @param advisors the advisors of the bean's proxies, from the outer to the inner one, in
 * the order of a call
 * @param complete whether these are all advisors. There may be more behind an opaque
 * proxy, or behind a proxy that selects its target for each call.
 * @param beanClass the bean's class, behind any proxy
 * @param method the method
 */
record AnnotatedMethod(String beanName, Object bean, List<Advisor> advisors, boolean complete, Class<?> beanClass,
		Method method) {

	String location() {
		return LockDefinitions.describe(this.method, this.beanClass);
	}

	InvalidDistributedLockException invalid(String problem) {
		return new InvalidDistributedLockException(location(), null, problem, null);
	}

	/**
	 * Finds the annotated methods of a bean: those of the class behind the lock's advice,
	 * or of the bean itself if it has no such advice.
	 * @param beanName the bean
	 * @param bean the bean with its proxies
	 * @param definitions the definitions of annotated methods
	 * @return the methods in the order of their locations; none if the bean stands for
	 * another bean
	 */
	static List<AnnotatedMethod> find(String beanName, Object bean, LockDefinitions definitions) {
		List<Advisor> advisors = new ArrayList<>();
		boolean complete = true;
		Class<?> type = null;
		Object current = bean;
		while (current instanceof Advised advised) {
			advisors.addAll(List.of(advised.getAdvisors()));
			if (type == null && advisors.stream().anyMatch(DistributedLockAdvisor.class::isInstance)) {
				type = advised.getTargetClass();
			}
			complete = advised.getTargetSource() instanceof SingletonTargetSource;
			current = AopProxyUtils.getSingletonTarget(advised);
		}
		if (current != null) {
			complete = complete && !AopUtils.isAopProxy(current);
			type = (type != null) ? type : current.getClass();
		}
		List<AnnotatedMethod> found = new ArrayList<>();
		if (type != null) {
			for (Method method : definitions.loadableMethods(type)) {
				found.add(new AnnotatedMethod(beanName, bean, advisors, complete,
						LockDefinitions.beanClass(method, type), method));
			}
		}
		found.sort(Comparator.comparing(AnnotatedMethod::location));
		return found;
	}

}

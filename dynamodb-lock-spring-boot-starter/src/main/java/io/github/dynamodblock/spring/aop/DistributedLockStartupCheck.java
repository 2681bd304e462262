/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Lets the start-up fail when an annotated method could not be locked: because what its
 * annotation says cannot work, because no advice stands before it, or because there is no
 * client. Nothing runs unlocked in silence. What is wrong with several methods is said at
 * once.
 */
public final class DistributedLockStartupCheck implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	private final Function<@Nullable String, LockClient> clients;

	private boolean failOnSelfInvocation;

	/**
	 * Creates the check.
	 * @param beanFactory whose beans are checked
	 * @param advisor the advisor that they must have
	 * @param clients the clients that the advisor uses, by the names of their beans
	 */
	public DistributedLockStartupCheck(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor,
			Function<@Nullable String, LockClient> clients) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
		this.clients = clients;
	}

	/**
	 * Sets whether a self-invocation of an annotated method ends the start. Otherwise it
	 * is logged at WARN.
	 * @param failOnSelfInvocation whether it does; false by default
	 */
	public void setFailOnSelfInvocation(boolean failOnSelfInvocation) {
		this.failOnSelfInvocation = failOnSelfInvocation;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<AnnotatedMethod> methods = AnnotatedMethods.find(this.beanFactory);
		List<AnnotatedMethodCheck> checks = List.of(new DefaultNameCheck(),
				new AdviceCheck(this.beanFactory, this.advisor), new AdviceOrderCheck(this.beanFactory, this.advisor),
				new LockClientCheck(this.beanFactory, this.clients), new CacheKeyCheck(),
				new SelfInvocationCheck(methods, this.advisor.definitions(), this.failOnSelfInvocation));
		// By message: two beans of one class have one mistake.
		Map<String, InvalidDistributedLockException> problems = new LinkedHashMap<>();
		for (AnnotatedMethod method : methods) {
			try {
				check(method, checks);
			}
			catch (InvalidDistributedLockException ex) {
				problems.putIfAbsent(String.valueOf(ex.getMessage()), ex);
			}
		}
		if (!problems.isEmpty()) {
			throw InvalidDistributedLockException.of(List.copyOf(problems.values()));
		}
	}

	private void check(AnnotatedMethod method, List<AnnotatedMethodCheck> checks) {
		LockDefinition definition = this.advisor.definitions().get(method.method(), method.beanClass());
		checks.forEach((check) -> check.check(method, definition));
	}

}

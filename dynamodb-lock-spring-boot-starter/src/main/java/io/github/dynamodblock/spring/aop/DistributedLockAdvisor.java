/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import org.aopalliance.aop.Advice;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies {@link io.github.dynamodblock.spring.DistributedLock}. To be registered as an
 * infrastructure bean by a static method, so that it exists before what it advises.
 */
public final class DistributedLockAdvisor extends AbstractPointcutAdvisor {

	/**
	 * The order unless set: inside method security, outside transactions and caches.
	 */
	public static final int DEFAULT_ORDER = 1000;

	private static final long serialVersionUID = 1L;

	private final Pointcut pointcut = new DistributedLockPointcut();

	private final transient LockDefinitions definitions;

	private final transient DistributedLockInterceptor advice;

	/**
	 * Creates the advisor. Neither supplier is asked before the first call of an
	 * annotated method or the check at start-up, and each answers once.
	 * @param beanFactory where placeholders and beans of expressions are looked up
	 * @param client the client that acquires the locks
	 * @param naming how keys of locks are made
	 */
	public DistributedLockAdvisor(ConfigurableBeanFactory beanFactory, Supplier<LockClient> client,
			Supplier<LockNaming> naming) {
		this.definitions = new LockDefinitions(beanFactory);
		this.advice = new DistributedLockInterceptor(this.definitions, SingletonSupplier.of(client),
				SingletonSupplier.of(naming));
		setOrder(DEFAULT_ORDER);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.advice;
	}

	LockDefinitions definitions() {
		return this.definitions;
	}

}

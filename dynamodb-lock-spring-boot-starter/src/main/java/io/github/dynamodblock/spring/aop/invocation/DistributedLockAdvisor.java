/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies {@link io.github.dynamodblock.spring.DistributedLock}. To be registered as an
 * infrastructure bean by a static method, so that it exists before what it advises.
 */
public final class DistributedLockAdvisor extends AbstractPointcutAdvisor implements DisposableBean {

	/**
	 * The order unless set: inside method security, outside transactions and caches.
	 */
	public static final int DEFAULT_ORDER = 1000;

	/**
	 * How many locks a call may take unless set.
	 */
	public static final int DEFAULT_MAX_LOCKS_PER_CALL = 100;

	private static final long serialVersionUID = 1L;

	private final transient Pointcut pointcut;

	private final transient LockDefinitions definitions;

	private final transient ByLockClient<LockClient> clients;

	private final transient DistributedLockInterceptor advice;

	private final transient Supplier<LockNaming> naming;

	/**
	 * Creates the advisor. Neither function is asked before the first call of an
	 * annotated method or the check at startup, and each once, the first one for a name.
	 * @param beanFactory where placeholders and beans of expressions are looked up
	 * @param clients the client that acquires the locks, by the name of its bean;
	 * {@code null} is the name of the default one
	 * @param naming how the keys of locks are made
	 */
	public DistributedLockAdvisor(ConfigurableBeanFactory beanFactory, Function<@Nullable String, LockClient> clients,
			Supplier<LockNaming> naming) {
		this.definitions = new LockDefinitions(beanFactory);
		this.pointcut = new DistributedLockPointcut(this.definitions);
		this.clients = new ByLockClient<>(clients);
		this.naming = SingletonSupplier.of(naming);
		this.advice = new DistributedLockInterceptor(this.definitions, this.clients, this.naming,
				beanFactory.getBeanProvider(ScheduledJobs.class));
		setOrder(DEFAULT_ORDER);
	}

	/**
	 * Sets how many locks one call may take whose key is a collection or an array.
	 * @param maxLocksPerCall the number, at least 1; {@value #DEFAULT_MAX_LOCKS_PER_CALL}
	 * unless set
	 * @throws IllegalArgumentException if it is less than 1
	 */
	public void setMaxLocksPerCall(int maxLocksPerCall) {
		if (maxLocksPerCall < 1) {
			throw new IllegalArgumentException("must be at least 1");
		}
		this.advice.setMaxLocksPerCall(maxLocksPerCall);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.advice;
	}

	@Override
	public void destroy() {
		this.advice.close();
	}

	/**
	 * {@return the definitions of all annotated methods}
	 */
	public LockDefinitions definitions() {
		return this.definitions;
	}

	/**
	 * {@return the scheduled jobs among the annotated methods, or {@code null} in an
	 * application without scheduling}
	 */
	public @Nullable ScheduledJobs jobs() {
		return this.advice.jobs();
	}

	LockNaming naming() {
		return this.naming.get();
	}

	/**
	 * {@return the lock clients that acquire the locks}
	 */
	public ByLockClient<LockClient> clients() {
		return this.clients;
	}

	/**
	 * Matches the methods to which a {@link DistributedLock} applies.
	 */
	private static final class DistributedLockPointcut extends StaticMethodMatcherPointcut {

		DistributedLockPointcut(LockDefinitions definitions) {
			setClassFilter((type) -> !definitions.methods(type).isEmpty());
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return LockDefinitions.find(method, targetClass) != null;
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * What {@code #root} is in the key expression of a
 * {@link io.github.dynamodblock.spring.DistributedLock}: the call. Public because
 * expressions can only use public types.
 */
public final class KeyRoot {

	private final Method method;

	private final @Nullable Object[] args;

	private final Object target;

	private final Class<?> targetClass;

	KeyRoot(Method method, @Nullable Object[] args, Object target, Class<?> targetClass) {
		this.method = method;
		this.args = args;
		this.target = target;
		this.targetClass = targetClass;
	}

	/**
	 * The method that is called.
	 * @return the method of the bean's class
	 */
	public Method getMethod() {
		return this.method;
	}

	/**
	 * The name of the method that is called.
	 * @return the name
	 */
	public String getMethodName() {
		return this.method.getName();
	}

	/**
	 * The arguments of the call.
	 * @return the arguments
	 */
	public @Nullable Object[] getArgs() {
		return this.args;
	}

	/**
	 * The object that is called, without its proxy.
	 * @return the target
	 */
	public Object getTarget() {
		return this.target;
	}

	/**
	 * The class of the object that is called.
	 * @return the class
	 */
	public Class<?> getTargetClass() {
		return this.targetClass;
	}

}

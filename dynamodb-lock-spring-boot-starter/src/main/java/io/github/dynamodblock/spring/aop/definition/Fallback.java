/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.util.Arrays;

import io.github.dynamodblock.LockNotGrantedException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;

/**
 * The method that answers a call whose lock was not granted. Accessible, and known to
 * take the arguments of the annotated method. Immutable.
 *
 * @param method the method of the bean's class
 * @param exceptionIndex where among its parameters the exception is, or -1 if it does not
 * take it
 */
public record Fallback(Method method, int exceptionIndex) {

	/**
	 * Answers a call.
	 * @param target the object that was called; behind a proxy, the innermost object that
	 * has the method answers
	 * @param arguments the arguments of the call
	 * @param refusal why the lock was not granted
	 * @return what the method returns; for a suspend function a Mono of it
	 * @throws Throwable what the method throws
	 */
	public @Nullable Object invoke(Object target, @Nullable Object[] arguments, LockNotGrantedException refusal)
			throws Throwable {
		return AopUtils.invokeJoinpointUsingReflection(receiver(target), this.method, arguments(arguments, refusal));
	}

	private @Nullable Object[] arguments(@Nullable Object[] arguments, LockNotGrantedException refusal) {
		if (this.exceptionIndex < 0) {
			return arguments;
		}
		@Nullable Object[] extended = Arrays.copyOf(arguments, arguments.length + 1);
		System.arraycopy(arguments, this.exceptionIndex, extended, this.exceptionIndex + 1,
				arguments.length - this.exceptionIndex);
		extended[this.exceptionIndex] = refusal;
		return extended;
	}

	/**
	 * The innermost object that has the method. A class proxy has separate fields, which
	 * are empty: private methods must not run on it. What is behind a repository does not
	 * have the methods of the repository's interface: its proxy answers.
	 */
	private Object receiver(Object target) {
		Object receiver = target;
		for (Object each = target; each != null; each = AopProxyUtils.getSingletonTarget(each)) {
			if (this.method.getDeclaringClass().isInstance(each)) {
				receiver = each;
			}
		}
		return receiver;
	}

}

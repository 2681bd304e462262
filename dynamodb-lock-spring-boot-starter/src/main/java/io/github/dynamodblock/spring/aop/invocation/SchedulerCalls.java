/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;

import org.springframework.util.ClassUtils;

/**
 * Recognizes calls of Spring's scheduler by their stack, which is the same whatever
 * executes the task: a bean, the scheduler of a {@code SchedulingConfigurer}, or a
 * virtual thread. A scheduled method has no other mark.
 */
final class SchedulerCalls {

	private static final String METHOD_CALL = "org.springframework.scheduling.support.ScheduledMethodRunnable";

	private static final String SUBSCRIPTION = "org.springframework.scheduling.annotation.ScheduledAnnotationReactiveSupport$";

	private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

	private SchedulerCalls() {
	}

	/**
	 * Returns whether the scheduler has called a method in this thread, and no other
	 * method of the application in between.
	 * @param methodName the method
	 * @param target the object that is called, behind its proxy
	 */
	static boolean isCalled(String methodName, Object target) {
		return STACK.walk((frames) -> {
			StackWalker.StackFrame called = null;
			for (Iterator<StackWalker.StackFrame> all = frames.iterator(); all.hasNext();) {
				StackWalker.StackFrame frame = all.next();
				if (frame.getClassName().equals(METHOD_CALL)) {
					return called != null && called.getMethodName().equals(methodName)
							&& isProxyOrClass(called.getDeclaringClass(), target);
				}
				called = frame;
			}
			return false;
		});
	}

	/** A job can call the method of that name of another object. */
	private static boolean isProxyOrClass(Class<?> called, Object target) {
		if (Proxy.isProxyClass(called)) {
			return Arrays.stream(called.getInterfaces())
				.anyMatch((type) -> !isOfSpring(type) && type.isInstance(target));
		}
		return ClassUtils.getUserClass(called).isInstance(target);
	}

	private static boolean isOfSpring(Class<?> type) {
		return type.getName().startsWith("org.springframework.");
	}

	/**
	 * Returns whether the scheduler subscribes to a publisher in this thread.
	 */
	static boolean isSubscribed() {
		return STACK.walk((Stream<StackWalker.StackFrame> frames) -> frames
			.anyMatch((frame) -> frame.getClassName().startsWith(SUBSCRIPTION)));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.util.ClassUtils;

/**
 * Recognizes calls of Spring's scheduler by their stack, because scheduled calls have no
 * other mark. The stack is the same whether a bean, the scheduler of a
 * {@code SchedulingConfigurer} or a virtual thread executes the task. A method that
 * returns a publisher is called once, for all ticks; a suspend function is called at each
 * subscription.
 */
final class SchedulerCalls {

	private static final String METHOD_CALL = "org.springframework.scheduling.support.ScheduledMethodRunnable";

	private static final String PUBLISHER = "org.springframework.scheduling.annotation.ScheduledAnnotationReactiveSupport";

	/** The packages through which Spring calls a suspend function. */
	private static final List<String> BETWEEN = List.of("kotlin.", "kotlinx.", "reactor.", "org.springframework.core.",
			"java.", "jdk.", "io.micrometer.");

	private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

	private SchedulerCalls() {
	}

	/**
	 * Returns whether the scheduler has called a method in this thread, without another
	 * method of the application in between.
	 * @param methodName the method
	 * @param suspending whether it is a suspend function
	 * @param target the object that is called, behind its proxy
	 */
	static boolean isCalled(String methodName, boolean suspending, Object target) {
		return STACK.walk((Stream<StackWalker.StackFrame> frames) -> {
			StackWalker.StackFrame called = null;
			for (Iterator<StackWalker.StackFrame> all = frames.iterator(); all.hasNext();) {
				StackWalker.StackFrame frame = all.next();
				String type = frame.getClassName();
				if (type.equals(METHOD_CALL) || type.startsWith(PUBLISHER)) {
					// A nested class only subscribes to an existing publisher.
					return (suspending || !type.startsWith(PUBLISHER + "$")) && called != null
							&& called.getMethodName().equals(methodName)
							&& isProxyOrClass(called.getDeclaringClass(), target);
				}
				if (BETWEEN.stream().noneMatch(type::startsWith) || Proxy.isProxyClass(frame.getDeclaringClass())) {
					called = frame;
				}
			}
			return false;
		});
	}

	/** Excludes methods with the same name on other objects, which a job may call. */
	private static boolean isProxyOrClass(Class<?> called, Object target) {
		if (Proxy.isProxyClass(called)) {
			return Arrays.stream(called.getInterfaces())
				.anyMatch((type) -> !type.getName().startsWith("org.springframework.") && type.isInstance(target));
		}
		return ClassUtils.getUserClass(called).isInstance(target);
	}

}

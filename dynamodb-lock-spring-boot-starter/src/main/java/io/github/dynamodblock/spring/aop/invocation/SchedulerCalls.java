/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.Iterator;
import java.util.stream.Stream;

/**
 * Recognizes calls of Spring's scheduler by their stack, which is the same whatever
 * executes the task: a bean, the scheduler of a {@code SchedulingConfigurer}, or a
 * virtual thread. A scheduled method has no other mark.
 */
final class SchedulerCalls {

	private static final String METHOD_CALL = "org.springframework.scheduling.support.ScheduledMethodRunnable";

	private static final String SUBSCRIPTION = "org.springframework.scheduling.annotation.ScheduledAnnotationReactiveSupport$";

	private static final StackWalker STACK = StackWalker.getInstance();

	private SchedulerCalls() {
	}

	/**
	 * Returns whether the scheduler has called a method in this thread, and no other
	 * method of the application in between.
	 */
	static boolean isCalled(String methodName) {
		return STACK.walk((frames) -> {
			String called = "";
			for (Iterator<StackWalker.StackFrame> all = frames.iterator(); all.hasNext();) {
				StackWalker.StackFrame frame = all.next();
				if (frame.getClassName().equals(METHOD_CALL)) {
					return called.equals(methodName);
				}
				called = frame.getMethodName();
			}
			return false;
		});
	}

	/**
	 * Returns whether the scheduler subscribes to a publisher in this thread.
	 */
	static boolean isSubscribed() {
		return STACK.walk((Stream<StackWalker.StackFrame> frames) -> frames
			.anyMatch((frame) -> frame.getClassName().startsWith(SUBSCRIPTION)));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

/**
 * {@code Thread.ofVirtual()}, which the tests' Java 17 does not know.
 */
public final class VirtualThreads {

	private VirtualThreads() {
	}

	/** {@code Thread.ofVirtual().factory()}, on JDK 21 or later. */
	public static ThreadFactory factory() throws ReflectiveOperationException {
		Object builder = invoke(Thread.class, "ofVirtual", null);
		return (ThreadFactory) invoke(Class.forName("java.lang.Thread$Builder"), "factory", builder);
	}

	private static Object invoke(Class<?> type, String method, @Nullable Object target)
			throws ReflectiveOperationException {
		try {
			return type.getMethod(method).invoke(target);
		}
		catch (InvocationTargetException ex) {
			throw new IllegalStateException("Virtual threads cannot be made", ex);
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tells the mocks that a test puts in the place of beans. No advice stands before them,
 * and they have no body to lock.
 */
final class Mocks {

	private Mocks() {
	}

	/**
	 * Whether a bean is a mock of Mockito's, if that is there.
	 * @param bean the bean
	 * @return whether it is
	 */
	static boolean isMock(Object bean) {
		ClassLoader loader = bean.getClass().getClassLoader();
		if (!ClassUtils.isPresent("org.mockito.Mockito", loader)) {
			return false;
		}
		Object details = call("org.mockito.Mockito", "mockingDetails", loader, null, bean);
		return Boolean.TRUE.equals(call("org.mockito.MockingDetails", "isMock", loader, details));
	}

	private static @Nullable Object call(String type, String method, @Nullable ClassLoader loader,
			@Nullable Object target, Object... arguments) {
		return ReflectionUtils.invokeMethod(
				ClassUtils.getMethod(ClassUtils.resolveClassName(type, loader), method, (Class<?>[]) null), target,
				arguments);
	}

}

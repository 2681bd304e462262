/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;

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
		Method mockingDetails = ClassUtils.getMethod(ClassUtils.resolveClassName("org.mockito.Mockito", loader),
				"mockingDetails", Object.class);
		Object details = ReflectionUtils.invokeMethod(mockingDetails, null, bean);
		Method isMock = ClassUtils.getMethod(ClassUtils.resolveClassName("org.mockito.MockingDetails", loader),
				"isMock");
		return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isMock, details));
	}

}

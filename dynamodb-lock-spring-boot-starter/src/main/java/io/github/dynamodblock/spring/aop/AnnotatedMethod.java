/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;

/**
 * A method of a bean to which a {@link io.github.dynamodblock.spring.DistributedLock}
 * applies.
 *
 * @param beanName the bean
 * @param beanClass the bean's class, behind any proxy
 * @param method the method
 */
record AnnotatedMethod(String beanName, Class<?> beanClass, Method method) {

	String location() {
		return DistributedLockAnnotations.describe(this.method, this.beanClass);
	}

}

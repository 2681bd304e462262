/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.aop.definition.DistributedLockAnnotations;

import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Matches the methods to which a {@link DistributedLock} applies.
 */
final class DistributedLockPointcut extends StaticMethodMatcherPointcut {

	DistributedLockPointcut() {
		setClassFilter((type) -> AnnotationUtils.isCandidateClass(type, DistributedLock.class));
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return DistributedLockAnnotations.find(method, targetClass) != null;
	}

}

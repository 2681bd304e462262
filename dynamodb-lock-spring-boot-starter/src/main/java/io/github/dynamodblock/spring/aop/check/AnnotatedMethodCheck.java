/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import io.github.dynamodblock.spring.aop.definition.LockDefinition;

/**
 * One thing that must be right about every annotated method when the application starts.
 */
@FunctionalInterface
interface AnnotatedMethodCheck {

	/**
	 * Checks one method.
	 * @param annotated the method
	 * @param definition what its annotation says
	 * @throws io.github.dynamodblock.spring.InvalidDistributedLockException if it is not
	 * right
	 */
	void check(AnnotatedMethod annotated, LockDefinition definition);

}

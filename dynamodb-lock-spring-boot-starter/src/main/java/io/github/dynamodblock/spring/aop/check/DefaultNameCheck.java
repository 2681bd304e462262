/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.check;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;

/**
 * No two methods share a lock because their classes and they happen to be called alike.
 */
final class DefaultNameCheck implements AnnotatedMethodCheck {

	private final Map<String, String> locations = new ConcurrentHashMap<>();

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		if (definition.named()) {
			return;
		}
		String other = this.locations.putIfAbsent(definition.name(), definition.location());
		if (other != null && !other.equals(definition.location())) {
			throw new InvalidDistributedLockException(definition.location(), "name", "its default \""
					+ definition.name() + "\" is that of " + other + ", too; give at least one of them a name", null);
		}
	}

}

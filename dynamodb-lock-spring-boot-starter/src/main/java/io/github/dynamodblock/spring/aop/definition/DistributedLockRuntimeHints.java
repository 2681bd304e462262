/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.ScheduledLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image must keep for any annotated method: the attributes of the
 * annotations, and what {@code #root} offers to a key expression.
 */
final class DistributedLockRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(KeyRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		for (Class<?> annotation : new Class<?>[] { DistributedLock.class, ScheduledLock.class }) {
			hints.reflection().registerType(annotation, MemberCategory.INVOKE_PUBLIC_METHODS);
			hints.proxies().registerJdkProxy(annotation);
		}
	}

}

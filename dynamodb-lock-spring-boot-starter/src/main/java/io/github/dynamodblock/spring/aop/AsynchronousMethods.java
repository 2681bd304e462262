/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * Tells methods whose work may go on after they have returned. A lock that ends with the
 * call would not cover it.
 */
final class AsynchronousMethods {

	// By name: Reactor, RxJava and Kotlin need not be there.
	private static final Set<String> ASYNCHRONOUS_TYPES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.Deferred", "kotlinx.coroutines.flow.Flow");

	private AsynchronousMethods() {
	}

	static boolean isAsynchronous(Method method) {
		return KotlinDetector.isSuspendingFunction(method) || isAsynchronous(method.getReturnType());
	}

	static boolean isAsynchronous(Class<?> type) {
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type) || isNamed(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	private static boolean isNamed(Class<?> type) {
		if (ASYNCHRONOUS_TYPES.contains(type.getName())) {
			return true;
		}
		for (Class<?> implemented : ClassUtils.getAllInterfacesForClass(type)) {
			if (ASYNCHRONOUS_TYPES.contains(implemented.getName())) {
				return true;
			}
		}
		return false;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Callable;
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

	// By name: Reactor, RxJava, Kotlin and Spring's web need not be there. Spring MVC
	// runs
	// a Callable, and what is called web or response here, when the method has returned.
	private static final Set<String> ASYNCHRONOUS_TYPES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.Deferred", "kotlinx.coroutines.flow.Flow", Callable.class.getName(),
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

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
		for (Class<?> extended = type; extended != null; extended = extended.getSuperclass()) {
			if (ASYNCHRONOUS_TYPES.contains(extended.getName())) {
				return true;
			}
		}
		for (Class<?> implemented : ClassUtils.getAllInterfacesForClass(type)) {
			if (ASYNCHRONOUS_TYPES.contains(implemented.getName())) {
				return true;
			}
		}
		return false;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;

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

	private static final Set<String> LAZY_TYPES = Set.of(BaseStream.class.getName(), "kotlin.sequences.Sequence");

	private AsynchronousMethods() {
	}

	static boolean isAsynchronous(Method method) {
		return KotlinDetector.isSuspendingFunction(method) || isAsynchronous(method.getReturnType());
	}

	static boolean isAsynchronous(Class<?> type) {
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type) || isOneOf(ASYNCHRONOUS_TYPES, type) || isLazy(type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/** Whether what a value consists of is computed when it is consumed. */
	static boolean isLazy(Class<?> type) {
		return isOneOf(LAZY_TYPES, type);
	}

	private static boolean isOneOf(Set<String> names, @Nullable Class<?> type) {
		return type != null && (names.contains(type.getName()) || isOneOf(names, type.getSuperclass())
				|| Arrays.stream(type.getInterfaces()).anyMatch((extended) -> isOneOf(names, extended)));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Recognizes results whose work may continue after the call has returned. A lock that is
 * released with the call does not cover that work. Not meant to be used by applications.
 */
public final class AsynchronousWork {

	// By name, because Reactor, RxJava, Kotlin and Spring's web are optional. Spring MVC
	// runs a Callable, and the web types, after the method has returned. Streams and
	// sequences compute their elements on demand.
	private static final Set<String> ASYNCHRONOUS_TYPES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.Deferred", "kotlinx.coroutines.flow.Flow", Callable.class.getName(),
			BaseStream.class.getName(), "kotlin.sequences.Sequence",
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	private static final ClassValue<Boolean> ASYNCHRONOUS = new ClassValue<>() {
		@Override
		protected Boolean computeValue(Class<?> type) {
			return isAsynchronous(type);
		}
	};

	private AsynchronousWork() {
	}

	/**
	 * Checks the type of a result.
	 * @param type the type
	 * @return whether a value of this type may represent unfinished work
	 */
	public static boolean isAsynchronous(Class<?> type) {
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type) || isOneOf(ASYNCHRONOUS_TYPES, type)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/** Returns whether the work behind a result may be unfinished. */
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	static boolean isUnfinished(Object result) {
		if (result instanceof Future<?> future) {
			return !future.isDone();
		}
		if (result instanceof CompletionStage<?> stage) {
			// Not every stage can be turned into a future.
			AtomicBoolean done = new AtomicBoolean();
			stage.whenComplete((value, failure) -> done.set(true));
			return !done.get();
		}
		return ASYNCHRONOUS.get(result.getClass());
	}

	private static boolean isOneOf(Set<String> names, @Nullable Class<?> type) {
		return type != null && (names.contains(type.getName()) || isOneOf(names, type.getSuperclass())
				|| Arrays.stream(type.getInterfaces()).anyMatch((extended) -> isOneOf(names, extended)));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.dynamodblock.spring.AsynchronousWork;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;

/**
 * What an annotated method returns, which determines when its work is done.
 */
public enum ReturnKind {

	/** A result that is complete on return, including {@code null} and void. */
	VALUE,

	/** A {@link CompletionStage} or {@link CompletableFuture}. */
	FUTURE,

	/** Reactor's Mono. */
	MONO,

	/** Reactor's Flux. */
	FLUX,

	/** The result that a Kotlin suspend function passes to its continuation. */
	SUSPEND;

	// By name, because Reactor is optional.
	private static final Map<String, ReturnKind> KINDS = Map.of(CompletionStage.class.getName(), FUTURE,
			CompletableFuture.class.getName(), FUTURE, "reactor.core.publisher.Mono", MONO,
			"reactor.core.publisher.Flux", FLUX);

	/**
	 * Returns the kind of a method.
	 * @param method the method of the bean's class
	 * @return the kind, or {@code null} if the method's work may continue after it has
	 * returned and its end cannot be detected
	 */
	static @Nullable ReturnKind of(Method method) {
		Class<?> type = declaredType(method);
		boolean suspending = KotlinDetector.isSuspendingFunction(method);
		if (!suspending && KINDS.containsKey(type.getName())) {
			return KINDS.get(type.getName());
		}
		return AsynchronousWork.isAsynchronous(type) ? null : suspending ? SUSPEND : VALUE;
	}

	/**
	 * {@return whether the advice returns a publisher that runs the method}
	 */
	public boolean isReactive() {
		return this == MONO || this == FLUX || this == SUSPEND;
	}

	/**
	 * Returns the declared return type of a method. For a suspend function, which returns
	 * {@link Object} in Java, it is the type in the Kotlin source, with a wrapper for a
	 * primitive type.
	 * @param method the method
	 * @return the type
	 */
	static Class<?> declaredType(Method method) {
		return KotlinDetector.isSuspendingFunction(method) ? new MethodParameter(method, -1).getParameterType()
				: method.getReturnType();
	}

}

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
 * What an annotated method returns, and with it when its work is done.
 */
public enum ReturnKind {

	/** Anything that is there when the method returns, {@code null} and void included. */
	VALUE,

	/** A {@link CompletionStage} or {@link CompletableFuture}. */
	FUTURE,

	/** Reactor's Mono. */
	MONO,

	/** Reactor's Flux. */
	FLUX,

	/** What a Kotlin suspend function gives to its continuation. */
	SUSPEND;

	// By name: Reactor need not be there.
	private static final Map<String, ReturnKind> KINDS = Map.of(CompletionStage.class.getName(), FUTURE,
			CompletableFuture.class.getName(), FUTURE, "reactor.core.publisher.Mono", MONO,
			"reactor.core.publisher.Flux", FLUX);

	/**
	 * The kind of a method.
	 * @param method the method of the bean's class
	 * @return the kind, or {@code null} if the method's work may go on after it has
	 * returned in a way that cannot be followed
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
	 * {@return whether the advice gives a publisher, whose subscription runs the method}
	 */
	public boolean isReactive() {
		return this == MONO || this == FLUX || this == SUSPEND;
	}

	/**
	 * The type that a method declares to return. To Java, a suspend function returns an
	 * {@link Object}; this is what Kotlin's source says, as a wrapper where it is a
	 * primitive one.
	 * @param method the method
	 * @return the type
	 */
	static Class<?> declaredType(Method method) {
		return KotlinDetector.isSuspendingFunction(method) ? new MethodParameter(method, -1).getParameterType()
				: method.getReturnType();
	}

}

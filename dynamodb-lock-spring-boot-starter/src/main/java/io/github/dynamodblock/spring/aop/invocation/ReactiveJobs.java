/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.util.function.Consumer;

import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

import org.springframework.core.CoroutinesUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Runs jobs that give a publisher or are suspend functions, as Spring's scheduler does.
 * Not to be touched unless Reactor is there.
 */
final class ReactiveJobs {

	private ReactiveJobs() {
	}

	/**
	 * Calls a method and subscribes to its result in this thread.
	 * @param ended receives what the publisher failed with, or {@code null}
	 */
	static void subscribe(ReturnKind kind, Object proxy, Method method, Consumer<@Nullable Throwable> ended) {
		ReflectionUtils.makeAccessible(method);
		Publisher<?> result = (kind == ReturnKind.SUSPEND) ? CoroutinesUtils.invokeSuspendingFunction(method, proxy)
				: (Publisher<?>) ReflectionUtils.invokeMethod(method, proxy);
		Flux.from((result != null) ? result : Flux.empty()).subscribe((value) -> {
		}, ended, () -> ended.accept(null));
	}

}

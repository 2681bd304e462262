/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.function.Supplier;

import io.github.dynamodblock.spring.ReactiveLockContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Calls that give a {@code Mono} or {@code Flux}; to the advice, those of Kotlin's
 * suspend functions do, too. Nothing happens before there is a subscriber, and each one
 * has locks of its own. Not to be touched unless Reactor is there.
 */
final class ReactiveCalls {

	private ReactiveCalls() {
	}

	static Mono<?> mono(Supplier<LockedCall> calls) {
		return Mono.deferContextual((context) -> {
			ReactiveCall call = new ReactiveCall(calls.get(), ReactiveLockContext.capture(context));
			// The resource is there at once, so that no cancellation can miss it.
			return Mono
				.<Object, ReactiveCall>usingWhen(Mono.just(call), (same) -> same.acquire().flatMap(same::mono),
						ReactiveCall::completed, ReactiveCall::failed, ReactiveCall::cancelled)
				.onErrorMap(call::unwrapped)
				.onErrorResume(call::isRefusal, (refusal) -> call.monoInstead());
		});
	}

	static Flux<?> flux(Supplier<LockedCall> calls) {
		return Flux.deferContextual((context) -> {
			ReactiveCall call = new ReactiveCall(calls.get(), ReactiveLockContext.capture(context));
			return Flux
				.<Object, ReactiveCall>usingWhen(Mono.just(call), (same) -> same.acquire().flatMapMany(same::flux),
						ReactiveCall::completed, ReactiveCall::failed, ReactiveCall::cancelled)
				.onErrorMap(call::unwrapped)
				.onErrorResume(call::isRefusal, (refusal) -> call.fluxInstead());
		});
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.dynamodblock.spring.ReactiveLockContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Calls that give a {@code Mono} or {@code Flux}; to the advice, those of Kotlin's
 * suspend functions do, too. Nothing happens before there is a subscriber, and each one
 * has separate locks. Not to be touched unless Reactor is there.
 */
final class ReactiveCalls {

	private final Scheduler releases;

	private final Scheduler bodies;

	/**
	 * Creates the style. Both executors take every task. Neither is Reactor's, whose
	 * threads are few: bodies that block all of them would keep each other's locks from
	 * being granted and released.
	 * @param releases where grants are received and locks released
	 * @param bodies where bodies begin, and subscribers are notified of their end
	 */
	ReactiveCalls(Executor releases, Executor bodies) {
		this.releases = Schedulers.fromExecutor(releases);
		this.bodies = Schedulers.fromExecutor(bodies);
	}

	Mono<?> mono(Supplier<LockedCall> calls) {
		return Mono.deferContextual((context) -> {
			ReactiveCall call = new ReactiveCall(calls.get(), ReactiveLockContext.capture(context), this.releases,
					this.bodies);
			// The resource is there at once, so that no cancellation can miss it.
			return Mono
				.<Object, ReactiveCall>usingWhen(Mono.just(call), (same) -> same.acquire().flatMap(same::mono),
						ReactiveCall::completed, ReactiveCall::failed, ReactiveCall::cancelled)
				.onErrorMap(call::unwrapped)
				.onErrorResume(call::isRefusal, (refusal) -> call.monoInstead());
		});
	}

	Flux<?> flux(Supplier<LockedCall> calls) {
		return Flux.deferContextual((context) -> {
			ReactiveCall call = new ReactiveCall(calls.get(), ReactiveLockContext.capture(context), this.releases,
					this.bodies);
			return Flux
				.<Object, ReactiveCall>usingWhen(Mono.just(call), (same) -> same.acquire().flatMapMany(same::flux),
						ReactiveCall::completed, ReactiveCall::failed, ReactiveCall::cancelled)
				.onErrorMap(call::unwrapped)
				.onErrorResume(call::isRefusal, (refusal) -> call.fluxInstead());
		});
	}

}

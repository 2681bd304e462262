/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnLost;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A bean whose methods give publishers under one lock.
 */
class ReactiveOrders {

	private final AtomicInteger bodies = new AtomicInteger();

	private final AtomicInteger patientCalls = new AtomicInteger();

	/** How often the method itself was run, whether or not its work was asked for. */
	int patientCalls() {
		return this.patientCalls.get();
	}

	int bodies() {
		return this.bodies.get();
	}

	@DistributedLock(name = "orders", key = "1", waitTime = "0s")
	Mono<String> value(Mono<String> work) {
		return work;
	}

	@DistributedLock(name = "orders", key = "1", waitTime = "0s")
	Flux<String> values(Flux<String> work) {
		return work;
	}

	@DistributedLock(name = "orders", key = "1", waitTime = "0s", onLost = OnLost.INTERRUPT)
	Mono<String> strictValue(Mono<String> work) {
		return work;
	}

	@DistributedLock(name = "orders", key = "1", waitTime = "0s", onLost = OnLost.INTERRUPT)
	Flux<String> strictValues(Flux<String> work) {
		return work;
	}

	@DistributedLock(name = "orders", key = "1", waitTime = "1m", holdAtLeast = "1m")
	Mono<String> patientMono() {
		this.patientCalls.incrementAndGet();
		return Mono.fromCallable(this::ran);
	}

	@DistributedLock(name = "orders", key = "1", waitTime = "1m")
	Flux<String> patientFlux() {
		return Mono.fromCallable(this::ran).flux();
	}

	@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
	Mono<String> skipMono() {
		return Mono.fromCallable(this::ran);
	}

	@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.SKIP)
	Flux<String> skipFlux() {
		return Mono.fromCallable(this::ran).flux();
	}

	@DistributedLock(name = "orders", key = "1", waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "insteadMono")
	Mono<String> monoOrElse(String argument) {
		return Mono.fromCallable(this::ran);
	}

	Mono<String> insteadMono(String argument, LockNotGrantedException refusal) {
		assertThat(LockContext.current()).isEmpty();
		return Mono.just("instead of " + argument);
	}

	@DistributedLock(name = "orders", key = "1", waitTime = "0s", onBusy = OnBusy.FALLBACK, fallback = "insteadFlux")
	Flux<String> fluxOrElse(String argument) {
		return Mono.fromCallable(this::ran).flux();
	}

	Flux<String> insteadFlux(String argument) {
		return Flux.fromStream(Stream.of("instead of " + argument));
	}

	@DistributedLock(name = "orders", key = "1", onBusy = OnBusy.FALLBACK, fallback = "neverAsked")
	Mono<String> failing(RuntimeException failure) {
		return Mono.error(failure);
	}

	Mono<String> neverAsked(RuntimeException failure) {
		throw new AssertionError("the fallback was asked", failure);
	}

	@DistributedLock(name = "orders", key = "1")
	Mono<Long> token() {
		return Mono.just(LockContext.current().orElseThrow().fencingToken());
	}

	@DistributedLock(name = "orders", key = "1")
	Mono<String> throwing() {
		throw new IllegalArgumentException("the body's");
	}

	@SuppressWarnings("NullAway") // what careless bodies do
	@DistributedLock(name = "orders", key = "1")
	Mono<String> nothing() {
		return null;
	}

	@DistributedLock(name = "orders", key = "#p0")
	Mono<String> keyed(String key) {
		return Mono.just(key);
	}

	private String ran() {
		this.bodies.incrementAndGet();
		return "ran";
	}

}

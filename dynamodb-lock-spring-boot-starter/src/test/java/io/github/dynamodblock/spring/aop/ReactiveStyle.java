/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import reactor.core.publisher.Flux;

/**
 * The same calls of {@link ReactiveOrders} by a method that gives a Mono and by one that
 * gives a Flux.
 */
enum ReactiveStyle {

	MONO {
		@Override
		Flux<String> fulfil(ReactiveOrders orders, ReactiveWork work) {
			return orders.value(work.values().last()).flux();
		}

		@Override
		Flux<String> strictly(ReactiveOrders orders, ReactiveWork work) {
			return orders.strictValue(work.values().last()).flux();
		}

		@Override
		Flux<String> patiently(ReactiveOrders orders) {
			return orders.patientMono().flux();
		}

		@Override
		Flux<String> skip(ReactiveOrders orders) {
			return orders.skipMono().flux();
		}

		@Override
		Flux<String> orElse(ReactiveOrders orders) {
			return orders.monoOrElse("argument").flux();
		}
	},

	FLUX {
		@Override
		Flux<String> fulfil(ReactiveOrders orders, ReactiveWork work) {
			return orders.values(work.values());
		}

		@Override
		Flux<String> strictly(ReactiveOrders orders, ReactiveWork work) {
			return orders.strictValues(work.values());
		}

		@Override
		Flux<String> patiently(ReactiveOrders orders) {
			return orders.patientFlux();
		}

		@Override
		Flux<String> skip(ReactiveOrders orders) {
			return orders.skipFlux();
		}

		@Override
		Flux<String> orElse(ReactiveOrders orders) {
			return orders.fluxOrElse("argument");
		}
	};

	abstract Flux<String> fulfil(ReactiveOrders orders, ReactiveWork work);

	abstract Flux<String> strictly(ReactiveOrders orders, ReactiveWork work);

	abstract Flux<String> patiently(ReactiveOrders orders);

	abstract Flux<String> skip(ReactiveOrders orders);

	abstract Flux<String> orElse(ReactiveOrders orders);

}

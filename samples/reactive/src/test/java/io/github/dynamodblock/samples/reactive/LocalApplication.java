/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.reactive;

import reactor.core.publisher.Flux;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Starts the application on this machine, with locks in memory, and ships an order twice
 * at the same time.
 */
@TestConfiguration(proxyBeanMethods = false)
class LocalApplication {

	@Bean
	ApplicationRunner work(Shipping shipping) {
		return (arguments) -> Flux.just("17", "17").flatMap(shipping::ship).blockLast();
	}

	public static void main(String[] args) {
		SpringApplication.from(ReactiveApplication::main)
			.with(LocalApplication.class)
			.run("--dynamodb-lock.embedded.enabled=true");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import org.springframework.boot.SpringApplication;

/**
 * Starts the application on this machine, with locks and orders in memory.
 */
class LocalApplication {

	public static void main(String[] args) {
		SpringApplication.from(OrdersApiApplication::main).run("--dynamodb-lock.embedded.enabled=true");
	}

}

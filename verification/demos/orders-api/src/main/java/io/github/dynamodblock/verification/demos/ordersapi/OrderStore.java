/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.util.List;

import io.github.dynamodblock.verification.harness.DemoFailedException;

/**
 * Where the nodes keep their orders.
 */
interface OrderStore {

	/**
	 * Returns what nodes run beside the application.
	 * @return configuration classes
	 */
	List<Class<?>> sources();

	/**
	 * Returns the nodes' properties.
	 * @return properties of the application, such as {@code --server.port=8080}
	 */
	List<String> properties();

	/** Reads all orders. */
	Stored read() throws DemoFailedException;

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.io.IOException;
import java.util.List;

import io.github.dynamodblock.verification.harness.DemoFailedException;

/**
 * Where the nodes keep their orders.
 */
interface OrderStore {

	/** Properties of every node, which the samples leave at their defaults. */
	List<String> PROPERTIES = List.of("--spring.main.banner-mode=off", "--spring.threads.virtual.enabled=true",
			"--management.endpoints.web.exposure.include=health,metrics,locks",
			"--dynamodb-lock.table.create=if-missing", "--dynamodb-lock.wait-time=1m");

	/**
	 * Returns the application and what observes it.
	 * @return configuration classes
	 */
	List<Class<?>> sources();

	/**
	 * Returns the nodes' properties, in addition to {@link #PROPERTIES}.
	 * @return properties of the application, such as {@code --server.port=8080}
	 */
	List<String> properties();

	/**
	 * Opens an order.
	 * @param node a node
	 * @return its number
	 */
	long openOrder(NodeClient node) throws IOException, InterruptedException, DemoFailedException;

	/** Reads all orders. */
	Stored read() throws DemoFailedException;

}

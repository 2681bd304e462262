/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.guardeddynamodb;

import org.springframework.boot.SpringApplication;

/**
 * Starts the application on this machine, with DynamoDB Local.
 */
class LocalApplication {

	public static void main(String[] args) {
		SpringApplication.from(GuardedDynamodbApplication::main)
			.with(OrdersTable.class)
			.run("--dynamodb-lock.embedded.enabled=true");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

/**
 * Uses a server, and returns from main without closing it.
 */
final class ForgetfulApplication {

	private ForgetfulApplication() {
	}

	@SuppressWarnings("resource")
	public static void main(String[] arguments) {
		EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
		TestTable.create(dynamoDb.client());
		System.out.println("main returns");
		if (arguments.length > 0) {
			throw new IllegalStateException(arguments[0]);
		}
	}

}

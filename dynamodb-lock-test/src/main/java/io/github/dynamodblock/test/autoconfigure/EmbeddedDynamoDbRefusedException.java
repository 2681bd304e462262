/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.autoconfigure;

import java.util.List;

/** An application that looks deployed would lock in its own memory. */
final class EmbeddedDynamoDbRefusedException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	static final String ACTION = "In production, take dynamodb-lock-test off the runtime class path: declare it with "
			+ "scope 'test', or as optional (Gradle: testImplementation or developmentOnly). To use DynamoDB although "
			+ "the module is there, set " + EmbeddedDynamoDbGuard.ENABLED + "=false. If locks in the memory of one "
			+ "process are intended, as on a developer's machine, set " + EmbeddedDynamoDbGuard.ENABLED + "=true.";

	private final String description;

	EmbeddedDynamoDbRefusedException(List<String> signs) {
		this("Locks would live in the memory of this process and exclude no other process: dynamodb-lock-test is on the "
				+ "class path, and neither an endpoint nor a DynamoDbClient bean is configured. But the application is "
				+ "configured for AWS or deployed: found " + String.join(", ", signs) + ".");
	}

	private EmbeddedDynamoDbRefusedException(String description) {
		super(description + " " + ACTION);
		this.description = description;
	}

	String description() {
		return this.description;
	}

}

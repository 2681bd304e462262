/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.IOException;

import io.github.dynamodblock.test.EmbeddedDynamoDb;

/**
 * The process of {@link Database}.
 */
public final class DatabaseProcess {

	/** What its line begins with that says where it listens. */
	static final String LISTENS_AT = "DynamoDB Local listens at ";

	private DatabaseProcess() {
	}

	/**
	 * Runs DynamoDB Local until the end of the standard input.
	 * @param args none
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String[] args) throws IOException {
		try (EmbeddedDynamoDb database = EmbeddedDynamoDb.start()) {
			System.out.println(LISTENS_AT + database.endpoint());
			while (System.in.read() >= 0) {
				// Nothing is said to it.
			}
		}
		System.exit(0);
	}

}

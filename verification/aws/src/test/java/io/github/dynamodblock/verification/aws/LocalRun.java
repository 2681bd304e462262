/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.verification.harness.Console;
import io.github.dynamodblock.verification.harness.Demo;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A run on the DynamoDB Local of the tests. */
final class LocalRun {

	private LocalRun() {
	}

	static String endpoint() {
		return EmbeddedDynamoDb.shared().endpoint().toString();
	}

	static Target target() {
		return Target.local(endpoint());
	}

	/** A context without a role, for a check that starts no process. */
	static RunContext context() {
		return context(new Meter(Meter.LIMIT));
	}

	static RunContext context(Meter meter) {
		return new RunContext(target(), demo(Path.of("target")), new RunTables(), meter, null);
	}

	static Demo demo(Path logs) {
		return new Demo(logs, new Console(new PrintStream(OutputStream.nullOutputStream())));
	}

	/** The tables of a run that exist. */
	static List<String> tables(DynamoDbClient dynamoDb, RunTables tables) {
		return tables(dynamoDb, tables.prefix());
	}

	static List<String> tables(DynamoDbClient dynamoDb, String prefix) {
		return dynamoDb.listTablesPaginator().tableNames().stream().filter((name) -> name.startsWith(prefix)).toList();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.table.LockTable;
import io.github.dynamodblock.verification.harness.Demo;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What the checks of one run share.
 *
 * @param target the DynamoDB
 * @param demo starts processes
 * @param tables the run's tables
 * @param meter counts the run's calls
 * @param role the role to assume, if any
 */
record RunContext(Target target, Demo demo, RunTables tables, Meter meter, @Nullable String role) {

	/**
	 * Returns a client whose calls are counted, and reach tables of this run only.
	 * @param further see every call as well
	 */
	DynamoDbClient newClient(ExecutionInterceptor... further) {
		return this.target.newClient(interceptors(further).toArray(ExecutionInterceptor[]::new));
	}

	/** The interceptors of all clients of this run. */
	List<ExecutionInterceptor> interceptors(ExecutionInterceptor... further) {
		List<ExecutionInterceptor> all = new ArrayList<>(List.of(this.tables, this.meter));
		all.addAll(List.of(further));
		return all;
	}

	/** Creates a lock table of this run, and returns its name. */
	String createTable(DynamoDbClient client, String purpose) {
		String name = this.tables.name(purpose);
		LockTable.of(client, name).createIfMissing();
		return name;
	}

	/** Shows a line to the reader. */
	void say(String line) {
		this.demo.console().say(line);
	}

}

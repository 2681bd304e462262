/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The tables that a check has found to be global tables with multi-region strong
 * consistency, which have no transactions. They are kept for the SDK's client that
 * described them, so lock clients need not describe them again. Thread-safe.
 */
public final class TablesAcrossRegions {

	/** What such a table lacks, and what to do instead. */
	static final String NO_TRANSACTIONS = "DynamoDB has no transactions across regions, nor on global tables with "
			+ "multi-region strong consistency; guard such writes with the lock's fencing token instead";

	private static final Map<DynamoDbClient, Set<String>> FOUND = Collections.synchronizedMap(new WeakHashMap<>());

	private TablesAcrossRegions() {
	}

	public static void found(DynamoDbClient client, TableSchema schema) {
		FOUND.computeIfAbsent(client, (first) -> ConcurrentHashMap.newKeySet()).add(schema.tableName());
	}

	/** Whether a table was found to be such a global table. */
	static boolean contain(DynamoDbClient client, TableSchema schema) {
		return FOUND.getOrDefault(client, Set.of()).contains(schema.tableName());
	}

}

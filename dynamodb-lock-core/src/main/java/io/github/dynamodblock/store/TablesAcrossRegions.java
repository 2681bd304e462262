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
 * consistency, which have no transactions. A check and a lock client share nothing but
 * the SDK's client, so the tables are kept by that client, for as long as it is in use.
 * Otherwise, each lock client would describe its table before its first guarded write,
 * which needs a further permission. Thread-safe.
 */
public final class TablesAcrossRegions {

	/** What such a table lacks, and what to do instead. */
	static final String NO_TRANSACTIONS = "DynamoDB has no transactions across regions, nor on global tables with "
			+ "multi-region strong consistency; guard such writes with the lock's fencing token instead";

	private static final Map<DynamoDbClient, Set<String>> FOUND = Collections.synchronizedMap(new WeakHashMap<>());

	private TablesAcrossRegions() {
	}

	/** Notes what the latest check of a table has found. */
	public static void note(DynamoDbClient client, TableSchema schema, boolean acrossRegions) {
		if (acrossRegions) {
			FOUND.computeIfAbsent(client, (first) -> ConcurrentHashMap.newKeySet()).add(schema.tableName());
		}
		else {
			FOUND.computeIfPresent(client, (known, tables) -> {
				tables.remove(schema.tableName());
				return tables;
			});
		}
	}

	/** Whether the latest check of a table has found such a global table. */
	static boolean contain(DynamoDbClient client, TableSchema schema) {
		return FOUND.getOrDefault(client, Set.of()).contains(schema.tableName());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockTableException.Problem;
import io.github.dynamodblock.Printable;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * Checks by a table's description whether it can hold locks.
 */
final class TableRules {

	// An updating table serves reads and writes.
	private static final Set<TableStatus> USABLE = EnumSet.of(TableStatus.ACTIVE, TableStatus.UPDATING);

	private static final Set<TableStatus> UNUSABLE_FOR_LONG = EnumSet.of(TableStatus.ARCHIVING, TableStatus.ARCHIVED,
			TableStatus.INACCESSIBLE_ENCRYPTION_CREDENTIALS);

	/** The older kind of global table, which does not list its replicas. */
	private static final String LEGACY_GLOBAL_TABLE = "2017.11.29";

	// Longer than a creation takes, so that other processes finish the work of a creator
	// that crashed.
	private static final Duration NEW = Duration.ofMinutes(5);

	private final TableSettings settings;

	TableRules(TableSettings settings) {
		this.settings = settings;
	}

	/**
	 * Whether the table serves reads and writes; {@code false} if it may do so soon.
	 * @throws LockTableException if waiting does not help
	 */
	boolean isUsable(TableDescription table) {
		if (UNUSABLE_FOR_LONG.contains(table.tableStatus())) {
			throw notActive(table, ", which waiting does not change. Make the table available, or use another one");
		}
		return USABLE.contains(table.tableStatus());
	}

	/** Whether another process may still be creating the table. */
	boolean isNew(TableDescription table, Instant now) {
		Instant created = table.creationDateTime();
		boolean young = created != null && Duration.between(created, now).abs().compareTo(NEW) < 0;
		return young || table.tableStatus() == TableStatus.CREATING;
	}

	/**
	 * A table that did not become usable in time, as last read; {@code null} if it did
	 * not appear.
	 */
	LockTableException notActiveInTime(@Nullable TableDescription table) {
		return notActive(table, " and did not become ACTIVE within " + Printable.of(this.settings.waitAtMost())
				+ ". Try again later, or wait longer with LockTable.waitAtMost");
	}

	private LockTableException notActive(@Nullable TableDescription table, String why) {
		String status = (table == null) ? "is being created" : "has the status " + table.tableStatusAsString();
		return problem(Problem.NOT_ACTIVE, status + why);
	}

	/**
	 * Checks what does not change by waiting: that the key is the configured one, and
	 * that no two regions can grant one lock.
	 */
	void check(TableDescription table) {
		if (!key(table).equals(wantedKey())) {
			throw problem(Problem.WRONG_KEY_SCHEMA, "has the key " + describeKey(table) + ", but the configured one is "
					+ schema().keyDescription()
					+ ". Configure the key names that the table has, or use another table; a lock table's keys are strings");
		}
		if (!this.settings.eventuallyConsistentReplicas() && hasEventuallyConsistentReplicas(table)) {
			throw problem(Problem.EVENTUALLY_CONSISTENT_REPLICAS,
					"is a global table with eventual consistency, where clients in two regions can hold one lock at the same time. "
							+ "Use a table in one region, or a global table with multi-region strong consistency; if all clients "
							+ "of a lock are in one region, say so with LockTable.allowEventuallyConsistentReplicas");
		}
	}

	/**
	 * Whether time to live is enabled, or is being enabled.
	 * @throws LockTableException if it is enabled for another attribute
	 */
	boolean isOn(TimeToLiveDescription timeToLive) {
		TimeToLiveStatus status = timeToLive.timeToLiveStatus();
		if (status != TimeToLiveStatus.ENABLED && status != TimeToLiveStatus.ENABLING) {
			return false;
		}
		if (!schema().timeToLiveName().equals(timeToLive.attributeName())) {
			throw problem(Problem.WRONG_TIME_TO_LIVE_ATTRIBUTE, "has time to live enabled for the attribute '"
					+ timeToLive.attributeName() + "', but the lock client writes it to '" + schema().timeToLiveName()
					+ "'. Set timeToLiveAttributeName to the table's attribute here and for the lock client, or use "
					+ "LockTable.withoutTimeToLive");
		}
		return true;
	}

	LockTableException timeToLiveNotOnInTime() {
		return problem(Problem.NOT_ACTIVE, "is ACTIVE, but its time to live could not be enabled within "
				+ Printable.of(this.settings.waitAtMost()) + ". Enable it by: " + schema().enableTimeToLiveCommand());
	}

	private static boolean hasEventuallyConsistentReplicas(TableDescription table) {
		boolean global = !table.replicas().isEmpty() || LEGACY_GLOBAL_TABLE.equals(table.globalTableVersion());
		return global && table.multiRegionConsistency() != MultiRegionConsistency.STRONG;
	}

	/** The wanted key, in the form in which {@link #key} gives that of a table. */
	private Map<KeyType, String> wantedKey() {
		Map<KeyType, String> key = new HashMap<>();
		key.put(KeyType.HASH, schema().partitionKeyName() + " (S)");
		if (schema().sortKeyName() != null) {
			key.put(KeyType.RANGE, schema().sortKeyName() + " (S)");
		}
		return key;
	}

	private static Map<KeyType, String> key(TableDescription table) {
		Map<String, String> types = table.attributeDefinitions()
			.stream()
			.collect(Collectors.toMap(AttributeDefinition::attributeName, AttributeDefinition::attributeTypeAsString));
		Map<KeyType, String> key = new HashMap<>();
		table.keySchema()
			.forEach((element) -> key.put(element.keyType(),
					element.attributeName() + " (" + types.get(element.attributeName()) + ")"));
		return key;
	}

	private static String describeKey(TableDescription table) {
		Map<KeyType, String> key = key(table);
		String sort = key.containsKey(KeyType.RANGE) ? "sort key " + key.get(KeyType.RANGE) : "no sort key";
		return "partition key " + key.get(KeyType.HASH) + " and " + sort;
	}

	private TableSchema schema() {
		return this.settings.schema();
	}

	private LockTableException problem(Problem problem, String what) {
		return new LockTableException(schema().tableName(), problem,
				"The lock table '" + schema().tableName() + "' " + what, null);
	}

}

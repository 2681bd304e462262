/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException.Problem;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.store.StoreErrors;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.store.TablesAcrossRegions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * Creates or checks the table once, and polls it until it is ready. The SDK's waiters do
 * not suffice: they only wait for {@code ACTIVE}, even if the table is missing or cannot
 * become active, and ignore time to live.
 */
final class TableSetup {

	private static final Logger logger = LoggerFactory.getLogger(TableSetup.class);

	// With the SDK's defaults, one call to a silent endpoint can take minutes.
	private static final AwsRequestOverrideConfiguration LIMIT = AwsRequestOverrideConfiguration.builder()
		.apiCallTimeout(Duration.ofSeconds(30))
		.build();

	private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

	// An updating table serves reads and writes.
	private static final Set<TableStatus> USABLE = EnumSet.of(TableStatus.ACTIVE, TableStatus.UPDATING);

	private static final Set<TableStatus> UNUSABLE_FOR_LONG = EnumSet.of(TableStatus.ARCHIVING, TableStatus.ARCHIVED,
			TableStatus.INACCESSIBLE_ENCRYPTION_CREDENTIALS);

	/** The older kind of global table, which does not list its replicas. */
	private static final String LEGACY_GLOBAL_TABLE = "2017.11.29";

	// Longer than a creation takes, so if the creator crashes, other processes finish its
	// work.
	private static final Duration NEW = Duration.ofMinutes(5);

	private final LockTable wanted;

	private final TableSchema schema;

	private final StoreErrors errors;

	private final long begun;

	/**
	 * Each pause is longer than the last: a table is ready either at once or after a
	 * while.
	 */
	private long nextPause = FIRST_PAUSE;

	TableSetup(LockTable wanted) {
		this.wanted = wanted;
		this.schema = wanted.schema;
		this.errors = new StoreErrors(wanted.client, wanted.schema);
		this.begun = wanted.clock.nanos();
	}

	/** Creates the table if it is missing; returns whether this call created it. */
	boolean createIfMissing() {
		boolean created = false;
		boolean isNew = false;
		TableDescription table = find();
		while (table == null || !isUsable(table)) {
			isNew |= table == null || isNew(table);
			if (table == null) {
				created |= create();
			}
			pauseUntilActive(table);
			table = find();
		}
		check(table);
		if (hasTimeToLive(table)) {
			if (isNew || isNew(table)) {
				enableTimeToLive();
			}
			else {
				checkTimeToLive(table);
			}
		}
		if (created) {
			logger.info("Created the lock table '{}'", this.schema.tableName());
		}
		return created;
	}

	void check() {
		TableDescription table = call("DescribeTable", this::describe);
		while (!isUsable(table)) {
			pauseUntilActive(table);
			table = call("DescribeTable", this::describe);
		}
		check(table);
		if (hasTimeToLive(table)) {
			checkTimeToLive(table);
		}
	}

	@Nullable TableDescription find() {
		try {
			return describe();
		}
		catch (ResourceNotFoundException ex) {
			return null;
		}
		catch (RuntimeException ex) {
			throw this.errors.explain("DescribeTable", ex);
		}
	}

	private TableDescription describe() {
		return this.wanted.client
			.describeTable((request) -> request.tableName(this.schema.tableName()).overrideConfiguration(LIMIT))
			.table();
	}

	/** Creates the table; {@code false} if another call has just done so. */
	private boolean create() {
		List<KeySchemaElement> keys = new ArrayList<>();
		keys.add(key(this.schema.partitionKeyName(), KeyType.HASH));
		if (this.schema.sortKeyName() != null) {
			keys.add(key(this.schema.sortKeyName(), KeyType.RANGE));
		}
		CreateTableRequest request = CreateTableRequest.builder()
			.tableName(this.schema.tableName())
			.keySchema(keys)
			.attributeDefinitions(keys.stream().map(TableSetup::definition).toList())
			.billingMode(BillingMode.PAY_PER_REQUEST)
			.overrideConfiguration(LIMIT)
			.build();
		return made("CreateTable", () -> this.wanted.client.createTable(request));
	}

	private static KeySchemaElement key(String name, KeyType type) {
		return KeySchemaElement.builder().attributeName(name).keyType(type).build();
	}

	private static AttributeDefinition definition(KeySchemaElement key) {
		return AttributeDefinition.builder()
			.attributeName(key.attributeName())
			.attributeType(ScalarAttributeType.S)
			.build();
	}

	/**
	 * Whether the table serves reads and writes; {@code false} if it may do so soon.
	 * @throws LockTableException if waiting does not help
	 */
	boolean isUsable(TableDescription table) {
		if (UNUSABLE_FOR_LONG.contains(table.tableStatus())) {
			throw problem(Problem.NOT_ACTIVE, "has the status " + table.tableStatus()
					+ ", which waiting does not change. Make the table available, or use another one");
		}
		return USABLE.contains(table.tableStatus());
	}

	/** Whether another process may still be creating the table. */
	boolean isNew(TableDescription table) {
		Instant created = table.creationDateTime();
		return table.tableStatus() == TableStatus.CREATING || (created != null
				&& Duration.between(created, this.wanted.clock.timeOfDay()).abs().compareTo(NEW) < 0);
	}

	/**
	 * Checks what waiting does not change: the key is the configured one, and no two
	 * regions can grant one lock.
	 */
	void check(TableDescription table) {
		String key = keyDescription(table);
		if (!key.equals(this.schema.keyDescription())) {
			throw problem(Problem.WRONG_KEY_SCHEMA, "has " + key + ", but the client is configured with "
					+ this.schema.keyDescription()
					+ ". Configure the key names that the table has, or use another table; a lock table's keys must "
					+ "be strings");
		}
		boolean global = !table.replicas().isEmpty() || LEGACY_GLOBAL_TABLE.equals(table.globalTableVersion());
		boolean strong = isStrong(table);
		TablesAcrossRegions.note(this.wanted.client, this.schema, strong);
		if (global && !strong && !this.wanted.eventuallyConsistentReplicas) {
			throw problem(Problem.EVENTUALLY_CONSISTENT_REPLICAS,
					"is a global table with eventual consistency, where clients in two regions can hold the same lock "
							+ "at the same time. Use a table in one region, or a global table with multi-region "
							+ "strong consistency; if all clients of each lock are in one region, allow this with "
							+ "LockTable.allowEventuallyConsistentReplicas");
		}
	}

	/** Whether it is a global table on which conditions see the writes of all regions. */
	private static boolean isStrong(TableDescription table) {
		return table.multiRegionConsistency() == MultiRegionConsistency.STRONG;
	}

	/** Whether old items are to be deleted. DynamoDB can't do that on every table. */
	private boolean hasTimeToLive(TableDescription table) {
		return this.wanted.timeToLive && !isStrong(table);
	}

	/** The table's key in the words of {@link TableSchema#keyDescription()}. */
	private static String keyDescription(TableDescription table) {
		Map<String, String> types = table.attributeDefinitions()
			.stream()
			.collect(Collectors.toMap(AttributeDefinition::attributeName, AttributeDefinition::attributeTypeAsString));
		Map<KeyType, String> key = new EnumMap<>(KeyType.class);
		table.keySchema()
			.forEach((element) -> key.put(element.keyType(),
					"'" + element.attributeName() + "' (" + types.get(element.attributeName()) + ")"));
		String sort = key.containsKey(KeyType.RANGE) ? "sort key " + key.get(KeyType.RANGE) : "no sort key";
		return "partition key " + key.get(KeyType.HASH) + " and " + sort;
	}

	/**
	 * Every process that finds a new table does this, because the table's creator may
	 * have crashed first.
	 */
	private void enableTimeToLive() {
		while (!isOn(timeToLive()) && !turnOn()) {
			pause("is ACTIVE, but its time to live could not be enabled within " + LogText.of(this.wanted.waitAtMost)
					+ ". Enable it with: " + this.schema.enableTimeToLiveCommand());
		}
	}

	private void checkTimeToLive(TableDescription table) {
		if (!isOn(timeToLive()) && !isNew(table)) {
			logger.warn(
					"Time to live is off for the lock table '{}': the items of unused locks are kept indefinitely. "
							+ "Enable it with: {} - or use LockTable.withoutTimeToLive() if this is intended",
					this.schema.tableName(), this.schema.enableTimeToLiveCommand());
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
		if (!this.schema.timeToLiveName().equals(timeToLive.attributeName())) {
			throw problem(Problem.WRONG_TIME_TO_LIVE_ATTRIBUTE, "has time to live enabled for the attribute '"
					+ timeToLive.attributeName() + "', but the lock client writes the expiry time to '"
					+ this.schema.timeToLiveName()
					+ "'. Set timeToLiveAttributeName to the table's attribute, both here and in the lock client, or "
					+ "use LockTable.withoutTimeToLive");
		}
		return true;
	}

	private TimeToLiveDescription timeToLive() {
		return call("DescribeTimeToLive",
				() -> this.wanted.client
					.describeTimeToLive(
							(request) -> request.tableName(this.schema.tableName()).overrideConfiguration(LIMIT))
					.timeToLiveDescription());
	}

	/** Enables time to live; {@code false} if another call may have just done so. */
	private boolean turnOn() {
		return made("UpdateTimeToLive",
				() -> this.wanted.client.updateTimeToLive((request) -> request.tableName(this.schema.tableName())
					.timeToLiveSpecification((to) -> to.enabled(true).attributeName(this.schema.timeToLiveName()))
					.overrideConfiguration(LIMIT)));
	}

	private void pauseUntilActive(@Nullable TableDescription last) {
		String status = (last == null) ? "is being created" : "has the status " + last.tableStatusAsString();
		pause(status + " and did not become ACTIVE within " + LogText.of(this.wanted.waitAtMost)
				+ ". Try again later, or wait longer with LockTable.waitAtMost");
	}

	/** Pauses. Once the wait is over, throws an exception that describes the table. */
	private void pause(String whatItIs) {
		long left = this.wanted.waitAtMost.toNanos() - (this.wanted.clock.nanos() - this.begun);
		if (left <= 0) {
			throw problem(Problem.NOT_ACTIVE, whatItIs);
		}
		try {
			this.wanted.clock.pause(Math.min(this.nextPause, left));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockStoreException("Interrupted while waiting for the lock table '" + this.schema.tableName()
					+ "' to become ready. It may still become ready later", ex);
		}
		this.nextPause = Math.min(this.nextPause * 3 / 2, LONGEST_PAUSE);
	}

	private <T> T call(String operation, Supplier<T> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			throw this.errors.explain(operation, ex);
		}
	}

	/** Makes a change; {@code false} if another call may have just made it. */
	private boolean made(String operation, Runnable change) {
		try {
			change.run();
			return true;
		}
		catch (RuntimeException ex) {
			if (ex instanceof ResourceInUseException || wasJustChanged(ex)) {
				return false;
			}
			throw this.errors.explain(operation, ex);
		}
	}

	/**
	 * DynamoDB has no separate error code for a change of time to live that was just
	 * made.
	 */
	private static boolean wasJustChanged(RuntimeException error) {
		String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
		return message.contains("already enabled") || message.contains("timetolive is active on")
				|| message.contains("modified multiple times");
	}

	private LockTableException problem(Problem problem, String what) {
		return new LockTableException(this.schema.tableName(), problem,
				"The lock table '" + this.schema.tableName() + "' " + what, null);
	}

	/** The clock that times the polls: this machine's, except in tests. */
	interface PollClock {

		default Instant timeOfDay() {
			return Instant.now();
		}

		/** Monotonic, from an arbitrary origin. */
		default long nanos() {
			return System.nanoTime();
		}

		default void pause(long nanos) throws InterruptedException {
			// The latch is never opened: only an interrupt ends the pause early.
			new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
		}

	}

}

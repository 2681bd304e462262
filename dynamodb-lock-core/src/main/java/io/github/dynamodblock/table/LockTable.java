/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.dynamodblock.InvalidLockOptionException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.store.TableSchema;
import io.github.dynamodblock.table.TableSetup.PollClock;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Creates the table that holds the locks, checks it, and waits for it. Immutable: every
 * method that sets something returns a new value. Thread-safe.
 *
 * <pre>{@code
 * LockTable.of(dynamoDbClient, "locks").createIfMissing();
 * }</pre>
 *
 * <p>
 * Use the same names as the lock client. A name that a lock's item uses for another
 * attribute is rejected with {@link IllegalArgumentException}. Methods that call DynamoDB
 * throw {@link LockStoreException} if it rejects a call or does not answer in time, or if
 * the thread is interrupted while it waits; the thread's interrupt flag is kept.
 */
public final class LockTable {

	private static final Duration LONGEST_WAIT = Duration.ofDays(1);

	final DynamoDbClient client;

	final TableSchema schema;

	/** Whether DynamoDB is to delete old items. */
	final boolean timeToLive;

	final Duration waitAtMost;

	final boolean eventuallyConsistentReplicas;

	final PollClock clock;

	private LockTable(DynamoDbClient client, TableSchema schema, boolean timeToLive, Duration waitAtMost,
			boolean eventuallyConsistentReplicas, PollClock clock) {
		this.client = client;
		this.schema = schema;
		this.timeToLive = timeToLive;
		this.waitAtMost = waitAtMost;
		this.eventuallyConsistentReplicas = eventuallyConsistentReplicas;
		this.clock = clock;
	}

	/**
	 * Describes a table with partition key {@code key}, no sort key, time to live by
	 * {@code expiresAt}, and on-demand billing. Sends nothing.
	 * @param dynamoDbClient the SDK's client, which is not closed
	 * @param tableName the table's name or ARN
	 * @return the table
	 * @throws IllegalArgumentException if DynamoDB does not allow the name
	 */
	public static LockTable of(DynamoDbClient dynamoDbClient, String tableName) {
		return new LockTable(Objects.requireNonNull(dynamoDbClient, "dynamoDbClient"), TableSchema.of(tableName), true,
				Duration.ofMinutes(2), false, new PollClock() {
				});
	}

	/** Sets the name of the partition key, a string. */
	public LockTable partitionKeyName(String partitionKeyName) {
		return with(partitionKeyName, this.schema.sortKeyName(), this.schema.timeToLiveName(), this.timeToLive);
	}

	/**
	 * Sets the name of the sort key, a string.
	 * @param sortKeyName the name, or {@code null} for a table without a sort key
	 */
	public LockTable sortKeyName(@Nullable String sortKeyName) {
		return with(this.schema.partitionKeyName(), sortKeyName, this.schema.timeToLiveName(), this.timeToLive);
	}

	/** Sets the attribute by which DynamoDB deletes the items of unused locks. */
	public LockTable timeToLiveAttributeName(String timeToLiveAttributeName) {
		return with(this.schema.partitionKeyName(), this.schema.sortKeyName(), timeToLiveAttributeName, true);
	}

	/**
	 * Neither enables nor checks time to live. A table that is shared with other kinds of
	 * lock clients needs this.
	 */
	public LockTable withoutTimeToLive() {
		return with(this.schema.partitionKeyName(), this.schema.sortKeyName(), this.schema.timeToLiveName(), false);
	}

	/**
	 * Sets how long to wait until the table is ready.
	 * @param waitAtMost the time, from zero to a day; the default is two minutes
	 * @throws IllegalArgumentException if the time is not within these limits
	 */
	public LockTable waitAtMost(Duration waitAtMost) {
		if (waitAtMost.isNegative() || waitAtMost.compareTo(LONGEST_WAIT) > 0) {
			throw new InvalidLockOptionException("waitAtMost",
					"waitAtMost is " + LogText.of(waitAtMost) + "; it must not be negative or longer than a day");
		}
		return new LockTable(this.client, this.schema, this.timeToLive, waitAtMost, this.eventuallyConsistentReplicas,
				this.clock);
	}

	/**
	 * Accepts a global table with eventual consistency. Two regions can then grant one
	 * lock at the same time. This is safe only if all clients of a lock are in one
	 * region.
	 */
	public LockTable allowEventuallyConsistentReplicas() {
		return new LockTable(this.client, this.schema, this.timeToLive, this.waitAtMost, true, this.clock);
	}

	/** For tests: a table that waits by another clock. */
	LockTable clock(PollClock clock) {
		return new LockTable(this.client, this.schema, this.timeToLive, this.waitAtMost,
				this.eventuallyConsistentReplicas, clock);
	}

	/**
	 * Creates the table if it does not exist, and returns when it can be used. Many
	 * processes can call this at once. Time to live is enabled only for a new table: one
	 * that is just being created, by this process or another one, or was created less
	 * than five minutes ago. An older table is only checked, as by {@link #check}. A
	 * global table with multi-region strong consistency does not support time to live.
	 * Needs the permissions {@code dynamodb:DescribeTable}, {@code CreateTable},
	 * {@code DescribeTimeToLive} and {@code UpdateTimeToLive}.
	 * @return whether this call created the table
	 * @throws LockTableException if the table differs from the settings, or is not ready
	 * in time
	 */
	public boolean createIfMissing() {
		return new TableSetup(this).createIfMissing();
	}

	/**
	 * Checks that the table can hold locks: it exists, is or becomes active, has the
	 * configured keys, and has no replicas that could grant a lock twice. If time to live
	 * is on, it must use the configured attribute; if it is off, logs a WARN. A global
	 * table with multi-region strong consistency supports neither time to live nor
	 * transactions. Its time to live is not checked. Afterwards,
	 * {@link io.github.dynamodblock.HeldLock#transactWrite} fails before any call if the
	 * lock client uses the same {@code DynamoDbClient}. Changes nothing. Needs the
	 * permissions {@code dynamodb:DescribeTable} and {@code DescribeTimeToLive}.
	 * @throws LockTableException if the table is missing, differs from the settings, or
	 * is not ready in time
	 */
	public void check() {
		new TableSetup(this).check();
	}

	/**
	 * Returns the commands that set the table up, for applications that have no
	 * permission to do it themselves.
	 * @return command lines of the AWS CLI, to run in this order: one that creates the
	 * table, and, with time to live, one that waits until the table exists and one that
	 * enables time to live
	 */
	public List<String> setupCommands() {
		String create = this.schema.createTableCommand();
		if (!this.timeToLive) {
			return List.of(create);
		}
		// DynamoDB refuses to change a table that is being created.
		return List.of(create, this.schema.waitForTableCommand(), this.schema.enableTimeToLiveCommand());
	}

	private LockTable with(String partitionKey, @Nullable String sortKey, String timeToLiveName, boolean timeToLive) {
		TableSchema renamed = new TableSchema(this.schema.tableName(), partitionKey, sortKey,
				this.schema.fencingTokenName(), timeToLiveName);
		return new LockTable(this.client, renamed, timeToLive, this.waitAtMost, this.eventuallyConsistentReplicas,
				this.clock);
	}

}

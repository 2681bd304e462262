/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;

import io.github.dynamodblock.InvalidLockOptionException;
import io.github.dynamodblock.Printable;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;

/**
 * The settings of the lock table, and how long to wait for it.
 *
 * @param schema its names
 * @param timeToLive whether DynamoDB is to delete old items
 * @param throughput its capacity if it is created, or {@code null} for on-demand billing
 * @param waitAtMost how long to wait until it is ready
 * @param eventuallyConsistentReplicas whether it may be a global table with eventual
 * consistency
 */
record TableSettings(TableSchema schema, boolean timeToLive, @Nullable ProvisionedThroughput throughput,
		Duration waitAtMost, boolean eventuallyConsistentReplicas) {

	private static final Duration DEFAULT_WAIT = Duration.ofMinutes(2);

	private static final Duration LONGEST_WAIT = Duration.ofDays(1);

	TableSettings {
		if (waitAtMost.isNegative() || waitAtMost.compareTo(LONGEST_WAIT) > 0) {
			throw new InvalidLockOptionException("waitAtMost",
					"waitAtMost is " + Printable.of(waitAtMost) + "; it must not be negative, nor more than a day");
		}
	}

	static TableSettings of(String tableName) {
		return new TableSettings(TableSchema.of(tableName), true, null, DEFAULT_WAIT, false);
	}

	TableSettings withPartitionKeyName(String name) {
		return withSchema(name, this.schema.sortKeyName(), this.schema.timeToLiveName());
	}

	TableSettings withSortKeyName(@Nullable String name) {
		return withSchema(this.schema.partitionKeyName(), name, this.schema.timeToLiveName());
	}

	TableSettings withTimeToLiveName(String name) {
		return withSchema(this.schema.partitionKeyName(), this.schema.sortKeyName(), name).withTimeToLive(true);
	}

	TableSettings withTimeToLive(boolean on) {
		return new TableSettings(this.schema, on, this.throughput, this.waitAtMost, this.eventuallyConsistentReplicas);
	}

	TableSettings withThroughput(@Nullable ProvisionedThroughput provisioned) {
		return new TableSettings(this.schema, this.timeToLive, provisioned, this.waitAtMost,
				this.eventuallyConsistentReplicas);
	}

	TableSettings withWaitAtMost(Duration longest) {
		return new TableSettings(this.schema, this.timeToLive, this.throughput, longest,
				this.eventuallyConsistentReplicas);
	}

	TableSettings withEventuallyConsistentReplicas() {
		return new TableSettings(this.schema, this.timeToLive, this.throughput, this.waitAtMost, true);
	}

	private TableSettings withSchema(String partitionKey, @Nullable String sortKey, String timeToLiveName) {
		TableSchema renamed = new TableSchema(this.schema.tableName(), partitionKey, sortKey,
				this.schema.fencingTokenName(), timeToLiveName);
		return new TableSettings(renamed, this.timeToLive, this.throughput, this.waitAtMost,
				this.eventuallyConsistentReplicas);
	}

}

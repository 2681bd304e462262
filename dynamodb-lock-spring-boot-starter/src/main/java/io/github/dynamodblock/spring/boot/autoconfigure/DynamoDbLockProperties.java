/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * The properties under {@code dynamodb-lock}. Immutable. A blank text is the same as
 * none.
 *
 * @param enabled Whether to lock. When false, there is no lock client, and annotated
 * methods run without a lock.
 * @param ownerName Name under which this application holds locks. A random suffix is
 * added. Default: the host's name.
 * @param leaseDuration How long a lock outlives its last heartbeat: when its owner dies,
 * others wait that long. From 100ms to 365d.
 * @param heartbeatPeriod Time between two heartbeats of a held lock; each is one write.
 * At most half the lease. Default: a quarter of the lease.
 * @param waitTime How long to wait for a lock that others hold, where neither request nor
 * annotation says so. Default: one and a half leases.
 * @param keyPrefix What the keys of annotated methods' locks begin with. Applications
 * with different prefixes can share a table. Not applied to calls of the LockClient.
 * @param table The lock table.
 * @param client The DynamoDbClient that is made when the application has none.
 * @param advice The advice that locks annotated methods.
 */
@ConfigurationProperties(DynamoDbLockProperties.PREFIX)
public record DynamoDbLockProperties(@DefaultValue("true") boolean enabled, @Nullable String ownerName,
		@DefaultValue("20s") Duration leaseDuration, @Nullable Duration heartbeatPeriod, @Nullable Duration waitTime,
		@DefaultValue("") String keyPrefix, @DefaultValue Table table, @DefaultValue Client client,
		@DefaultValue Advice advice) {

	static final String PREFIX = "dynamodb-lock";

	/**
	 * Takes a blank owner name for none.
	 */
	public DynamoDbLockProperties {
		ownerName = textOrNull(ownerName);
	}

	private static @Nullable String textOrNull(@Nullable String text) {
		return StringUtils.hasText(text) ? text : null;
	}

	/**
	 * The properties under {@code dynamodb-lock.table}.
	 *
	 * @param name Name or ARN of the lock table.
	 * @param create Whether to create the table at start-up. Default: never, but
	 * if-missing with the embedded DynamoDB of dynamodb-lock-test.
	 * @param partitionKeyName Name of the table's partition key, a string.
	 * @param sortKeyName Name of the table's sort key, a string. Default: the table has
	 * none.
	 * @param sortKeyValue Sort key of all locks of annotated methods, in a table with a
	 * sort key.
	 * @param timeToLive After how long DynamoDB may delete the item of a lock that nobody
	 * uses any more. From 1d to 3650d, or 0 for never, which a table shared with other
	 * kinds of lock clients needs.
	 * @param timeToLiveAttributeName Name of the attribute that carries the time to live.
	 * @param allowEventuallyConsistentReplicas Whether to accept a global table with
	 * eventual consistency, in which two regions can grant one lock at the same time.
	 */
	public record Table(@DefaultValue("locks") String name, @Nullable TableCreation create,
			@DefaultValue("key") String partitionKeyName, @Nullable String sortKeyName,
			@DefaultValue("lock") String sortKeyValue, @DefaultValue("7d") Duration timeToLive,
			@DefaultValue("expiresAt") String timeToLiveAttributeName,
			@DefaultValue("false") boolean allowEventuallyConsistentReplicas) {

		/**
		 * Takes a blank sort key name for none.
		 */
		public Table {
			sortKeyName = textOrNull(sortKeyName);
		}

	}

	/**
	 * The properties under {@code dynamodb-lock.client}.
	 *
	 * @param region AWS region of the lock table. Default: where the SDK's default chain
	 * finds one.
	 * @param endpoint Address of DynamoDB, such as http://localhost:8000. Default: that
	 * of the region.
	 */
	public record Client(@Nullable String region, @Nullable URI endpoint) {

		/**
		 * Takes a blank region for none.
		 */
		public Client {
			region = textOrNull(region);
		}

	}

	/**
	 * The properties under {@code dynamodb-lock.advice}.
	 *
	 * @param order Order of the advice among others: it stands outside of those with a
	 * greater number, such as transactions and caches.
	 */
	public record Advice(@DefaultValue("1000") int order) {
	}

}

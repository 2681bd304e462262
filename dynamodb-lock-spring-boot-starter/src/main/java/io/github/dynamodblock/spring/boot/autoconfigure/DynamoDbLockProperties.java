/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;
import java.time.Duration;

import io.github.dynamodblock.spring.LockNaming;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * The properties under {@code dynamodb-lock}. Immutable. A blank text is the same as
 * none. A property that is not one of them fails startup. An
 * {@link AopInfrastructureBean}, of which no proxy is made: a record can have none.
 *
 * @param enabled Whether to lock. When false, there is no LockClient bean, and annotated
 * methods run without a lock; one WARN lists them.
 * @param ownerName Name under which this application holds locks. A random suffix is
 * added, so that two instances never have one name. Default: the host's name.
 * @param namespace Namespace of the client's locks, so that several applications can
 * share a table: the partition key in the table is "namespace/key". No slash is allowed.
 * Default: none.
 * @param keyPrefix Prefix of the keys of annotated methods, LockTemplate and the
 * LockRegistry. Not applied to calls of the LockClient. Choose one that no lock's name
 * begins with.
 * @param leaseDuration How long a lock outlives its last heartbeat: when its owner dies,
 * others wait that long. From 100ms to 365d.
 * @param heartbeatPeriod Time between two heartbeats of a held lock; each is one write.
 * At most half the lease. Default: a quarter of the lease.
 * @param waitTime How long to wait for a lock that others hold, where neither request nor
 * annotation says so. Default: one and a half leases.
 * @param holdAtMost How long a lock is held at most, however long the work under it
 * takes, where neither request nor annotation says so. Then it is lost, and the client
 * releases it. At least 100ms. Default: no limit.
 * @param pollInterval Time between two polls of a lock that another client holds, from
 * 10ms to 1h; each costs half a read unit. Default: 45ms at first, then growing while one
 * holder has the lock.
 * @param clockSkewBound Lets wall clocks decide when a dead owner's lease has ended: the
 * clock of every client must be within half the bound of true time. At most 1d. Default:
 * off.
 * @param deleteOnRelease Whether a release deletes the lock's item. Fencing tokens then
 * increase only as far as the clocks of the owners agree.
 * @param table The lock table.
 * @param dynamodb The DynamoDbClient that is made when the application has none.
 * @param advice The advice that locks annotated methods.
 * @param jobs Scheduled jobs.
 * @param events Application events about locks.
 * @param registry The LockRegistry for Spring Integration.
 * @param embedded The embedded DynamoDB of dynamodb-lock-test.
 */
@ConfigurationProperties(prefix = DynamoDbLockProperties.PREFIX, ignoreUnknownFields = false)
public record DynamoDbLockProperties(@DefaultValue("true") boolean enabled, @Nullable String ownerName,
		@Nullable String namespace, @DefaultValue("") String keyPrefix, @DefaultValue("20s") Duration leaseDuration,
		@Nullable Duration heartbeatPeriod, @Nullable Duration waitTime, @Nullable Duration holdAtMost,
		@Nullable Duration pollInterval, @Nullable Duration clockSkewBound,
		@DefaultValue("false") boolean deleteOnRelease, @DefaultValue Table table, @DefaultValue DynamoDb dynamodb,
		@DefaultValue Advice advice, @DefaultValue Jobs jobs, @DefaultValue Events events,
		@DefaultValue Registry registry, @DefaultValue Embedded embedded) implements AopInfrastructureBean {

	static final String PREFIX = "dynamodb-lock";

	/**
	 * Takes blank texts for none.
	 */
	public DynamoDbLockProperties {
		ownerName = textOrNull(ownerName);
		namespace = textOrNull(namespace);
	}

	/** How keys of locks are made by names. */
	LockNaming naming() {
		return new LockNaming(this.keyPrefix, (this.table.sortKeyName != null) ? this.table.sortKeyValue : null);
	}

	private static @Nullable String textOrNull(@Nullable String text) {
		return StringUtils.hasText(text) ? text : null;
	}

	/**
	 * The properties under {@code dynamodb-lock.table}.
	 *
	 * @param name Name or ARN of the lock table.
	 * @param create Whether to create the table at startup. Default: never, but
	 * if-missing with the DynamoDB of dynamodb-lock-test.
	 * @param check Whether to check at startup that the table exists and has the right
	 * keys. When false, nothing is sent at startup, for a role that must not call
	 * dynamodb:DescribeTable. A table that is created is always described.
	 * @param partitionKeyName Name of the table's partition key, a string.
	 * @param sortKeyName Name of the table's sort key, a string. Default: the table has
	 * none.
	 * @param sortKeyValue Sort key of all locks of annotated methods, in a table with a
	 * sort key. Calls of the LockClient give their own.
	 * @param fencingTokenAttributeName Name of the attribute that carries the fencing
	 * token. All clients of a table need the same one.
	 * @param timeToLive After how long DynamoDB may delete the item of a lock that is no
	 * longer used, at least a day after its lease. From 1d to 3650d, or 0 for never,
	 * which a table shared with other kinds of lock clients needs.
	 * @param timeToLiveAttributeName Name of the attribute that carries the time to live.
	 * @param timeout How long to wait at startup until the table is ready, at most 1d.
	 * @param allowEventuallyConsistentReplicas Whether to accept a global table with
	 * eventual consistency. Two regions can then grant one lock at the same time: safe
	 * only if all clients of a lock are in one region.
	 */
	public record Table(@DefaultValue("locks") String name, @Nullable TableCreation create,
			@DefaultValue("true") boolean check, @DefaultValue("key") String partitionKeyName,
			@Nullable String sortKeyName, @DefaultValue("lock") String sortKeyValue,
			@DefaultValue("fencingToken") String fencingTokenAttributeName, @DefaultValue("7d") Duration timeToLive,
			@DefaultValue("expiresAt") String timeToLiveAttributeName, @DefaultValue("2m") Duration timeout,
			@DefaultValue("false") boolean allowEventuallyConsistentReplicas) {

		/**
		 * Takes a blank sort key name for none.
		 */
		public Table {
			sortKeyName = textOrNull(sortKeyName);
		}

	}

	/**
	 * The properties under {@code dynamodb-lock.dynamodb}.
	 *
	 * @param region AWS region of the lock table. Default: where Spring Cloud AWS or the
	 * SDK's default chain finds one.
	 * @param endpoint Address of DynamoDB, such as http://localhost:8000. Default: that
	 * of the region.
	 * @param accessKey Access key, together with the secret key. Default: the credentials
	 * of Spring Cloud AWS or of the SDK's default chain.
	 * @param secretKey Secret key of the access key. Default: none.
	 */
	public record DynamoDb(@Nullable String region, @Nullable URI endpoint, @Nullable String accessKey,
			@Nullable String secretKey) {

		/**
		 * Takes blank texts for none.
		 */
		public DynamoDb {
			region = textOrNull(region);
			accessKey = textOrNull(accessKey);
			secretKey = textOrNull(secretKey);
		}

		boolean isEmpty() {
			return this.region == null && this.endpoint == null && this.accessKey == null && this.secretKey == null;
		}

		/** Without the secret, since it may be logged. */
		@Override
		public String toString() {
			return "DynamoDb[region=" + this.region + ", endpoint=" + this.endpoint + ", accessKey=" + this.accessKey
					+ "]";
		}

	}

	/**
	 * The properties under {@code dynamodb-lock.advice}.
	 *
	 * @param order Order of the advice among others: it stands outside of those with a
	 * greater number, such as transactions and caches.
	 * @param missing What happens if an annotated bean was made without the advice, so
	 * that its methods run without the lock. Use warn for tests that put doubles in the
	 * place of beans by other means than Spring's.
	 * @param maxLocksPerCall How many locks one call may take whose key is a collection
	 * or an array. A call that would take more is refused.
	 */
	public record Advice(@DefaultValue("1000") int order, @DefaultValue("fail") MissingAdvice missing,
			@DefaultValue("100") int maxLocksPerCall) {
	}

	/** Whether the lock table is created when the application starts. */
	public enum TableCreation {

		/** The table must exist; startup fails if it is missing. */
		NEVER,

		/** A missing table is created, with on-demand billing, and waited for. */
		IF_MISSING

	}

	/**
	 * Scheduled jobs, of methods annotated with ScheduledLock and Scheduled.
	 *
	 * @param clockTolerance By how much the clock of a node may differ from DynamoDB's. A
	 * node whose clock differs by more starts no tick until the clocks agree again. For a
	 * job with a shorter interval, half of the interval is allowed. Less than 2s counts
	 * as 2s.
	 */
	public record Jobs(@DefaultValue("30s") Duration clockTolerance) {
	}

	/**
	 * What happens if an annotated bean was made without the advice that takes the lock.
	 */
	public enum MissingAdvice {

		/** Startup fails, or the creation of the bean if it comes later. */
		FAIL,

		/** A WARN names each method; the methods run without the lock. */
		WARN

	}

	/**
	 * The properties under {@code dynamodb-lock.events}.
	 *
	 * @param enabled Whether to publish application events about locks that are acquired,
	 * taken over, released, expiring or lost.
	 */
	public record Events(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * The properties under {@code dynamodb-lock.registry}.
	 *
	 * @param enabled Whether to make a LockRegistry where there is Spring Integration and
	 * the application has none.
	 * @param keyPrefix What the keys of the registry's locks begin with, after
	 * dynamodb-lock.key-prefix. May be empty: the locks are then those of annotated
	 * methods and LockTemplate.
	 * @param leaseDuration Lease of the registry's locks, which are renewed as long as
	 * they are held. From 100ms to 365d. Default: that of the lock client.
	 * @param deleteOnRelease Whether unlocking deletes a lock's item. Otherwise it stays
	 * until its time to live, and fencing tokens increase whatever the clocks say.
	 */
	public record Registry(@DefaultValue("true") boolean enabled, @DefaultValue("registry:") String keyPrefix,
			@Nullable Duration leaseDuration, @DefaultValue("true") boolean deleteOnRelease) {
	}

	/**
	 * The properties under {@code dynamodb-lock.embedded}, which dynamodb-lock-test
	 * reads.
	 *
	 * @param enabled Whether dynamodb-lock-test starts an embedded DynamoDB Local where
	 * no DynamoDB client and no endpoint is configured. Its locks live in the memory of
	 * this process. Startup fails where a region, credentials, the ARN of a table or a
	 * cloud platform is seen, unless the property is set to true; in tests with Spring's
	 * TestContext Framework it is.
	 */
	public record Embedded(@DefaultValue("true") boolean enabled) {
	}

}

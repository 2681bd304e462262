/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;

import io.github.dynamodblock.spring.LockNaming;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * The properties under {@code dynamodb-lock}. Immutable. A blank optional string counts
 * as not set. An unknown property fails startup. This is an {@link AopInfrastructureBean}
 * because a record cannot be proxied.
 *
 * @param enabled Whether locking is enabled. If false, there is no LockClient bean and
 * annotated methods run without a lock, which one WARN reports.
 * @param ownerName Name under which this application holds locks. A random suffix
 * distinguishes instances. Default: the host's name.
 * @param namespace Namespace that lets several applications share a table. The partition
 * key in the table is "namespace/key". It must not contain a slash. Default: none.
 * @param keyPrefix Prefix of the keys of annotated methods, LockTemplate and the
 * LockRegistry. Not applied to calls of the LockClient. No lock name should start with
 * this prefix.
 * @param leaseDuration How long a lock outlives its last heartbeat. Other clients wait
 * that long after its owner has died. From 100ms to 365d.
 * @param heartbeatPeriod Time between two heartbeats of a held lock. Each costs one
 * write. At most half the lease. Default: a quarter of the lease.
 * @param waitTime How long to wait while a lock is held, unless the request or annotation
 * sets it. Default: one and a half leases.
 * @param holdAtMost Maximum time that a lock is held, unless the request or annotation
 * sets it. After that time, the lock is lost and the client releases it, even if its work
 * continues. At least 100ms. Default: no limit.
 * @param pollInterval Time between two polls of a lock that another client holds, from
 * 10ms to 1h. Each costs half a read unit. Default: 45ms at first, then growing while the
 * holder stays the same.
 * @param clockSkewBound Enables takeover by wall clocks once a dead owner's lease has
 * ended. Every client's clock must then be within half this bound of the true time. A
 * node whose clock differs from DynamoDB's by more than half the bound ignores its clock.
 * At most 1d. Default: off.
 * @param maxConcurrentCalls Maximum number of calls that the lock client sends to
 * DynamoDB at a time, besides heartbeats; further calls wait. From 1 to 10000. Each uses
 * a connection of the DynamoDbClient. Default: 25.
 * @param deleteOnRelease Whether a release deletes the lock's item. Fencing tokens then
 * increase only if the owners' clocks agree.
 * @param table The lock table.
 * @param dynamodb The DynamoDbClient that is created if the application has none.
 * @param advice The advice that locks annotated methods.
 * @param jobs Scheduled jobs.
 * @param events Application events about locks and jobs.
 * @param registry The LockRegistry for Spring Integration.
 * @param embedded Locks in the memory of this process.
 */
@ConfigurationProperties(prefix = DynamoDbLockProperties.PREFIX, ignoreUnknownFields = false)
public record DynamoDbLockProperties(@DefaultValue("true") boolean enabled, @Nullable String ownerName,
		@Nullable String namespace, @DefaultValue("") String keyPrefix, @DefaultValue("20s") Duration leaseDuration,
		@Nullable Duration heartbeatPeriod, @Nullable Duration waitTime, @Nullable Duration holdAtMost,
		@Nullable Duration pollInterval, @Nullable Duration clockSkewBound, @Nullable Integer maxConcurrentCalls,
		@DefaultValue("false") boolean deleteOnRelease, @DefaultValue Table table, @DefaultValue DynamoDb dynamodb,
		@DefaultValue Advice advice, @DefaultValue Jobs jobs, @DefaultValue Events events,
		@DefaultValue Registry registry, @DefaultValue Embedded embedded) implements AopInfrastructureBean {

	static final String PREFIX = "dynamodb-lock";

	/**
	 * Treats blank strings as not set.
	 */
	public DynamoDbLockProperties {
		ownerName = textOrNull(ownerName);
		namespace = textOrNull(namespace);
	}

	/** Returns the names of all properties. */
	static Stream<String> names() {
		return names(PREFIX, DynamoDbLockProperties.class);
	}

	/** As constructor parameters, which are bound in native images as well. */
	private static Stream<String> names(String prefix, Class<?> type) {
		return Arrays.stream(type.getDeclaredConstructors()[0].getParameters()).flatMap((parameter) -> {
			String name = prefix + "." + DataObjectPropertyName.toDashedForm(parameter.getName());
			return (parameter.getType().getSuperclass() == Record.class) ? names(name, parameter.getType())
					: Stream.of(name);
		});
	}

	/** Returns how names become lock keys. */
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
	 * @param create Whether to create the table at startup. Default: never; if-missing
	 * for tables in memory or a service connection.
	 * @param check Whether to check at startup that the table exists and has the right
	 * keys. If false, nothing is sent at startup. Use false if the role has no permission
	 * for dynamodb:DescribeTable. If the starter creates the table, it always describes
	 * it.
	 * @param partitionKeyName Name of the table's partition key, which must be a string.
	 * @param sortKeyName Name of the table's sort key, which must be a string. Default:
	 * the table has none.
	 * @param sortKeyValue Sort key of the locks of annotated methods, LockTemplate and
	 * the LockRegistry, if the table has a sort key. Calls of the LockClient set their
	 * own.
	 * @param fencingTokenAttributeName Name of the attribute that stores the fencing
	 * token. All clients of a table must use the same name.
	 * @param timeToLive Time after which DynamoDB may delete the item of an unused lock,
	 * but no earlier than a day after its lease has ended. From 1d to 3650d, or 0 for
	 * never. Use 0 if other kinds of lock clients share the table.
	 * @param timeToLiveAttributeName Name of the attribute that stores the time to live.
	 * @param timeout How long startup waits until the table is ready, at most 1d.
	 * @param allowEventuallyConsistentReplicas Whether to accept a global table with
	 * eventual consistency. Two regions can then grant the same lock at the same time, so
	 * all clients of a lock must be in one region.
	 */
	public record Table(@DefaultValue("locks") String name, @Nullable TableCreation create,
			@DefaultValue("true") boolean check, @DefaultValue("key") String partitionKeyName,
			@Nullable String sortKeyName, @DefaultValue("lock") String sortKeyValue,
			@DefaultValue("fencingToken") String fencingTokenAttributeName, @DefaultValue("7d") Duration timeToLive,
			@DefaultValue("expiresAt") String timeToLiveAttributeName, @DefaultValue("2m") Duration timeout,
			@DefaultValue("false") boolean allowEventuallyConsistentReplicas) {

		/**
		 * Treats a blank sort key name as not set.
		 */
		public Table {
			sortKeyName = textOrNull(sortKeyName);
		}

	}

	/**
	 * The properties under {@code dynamodb-lock.dynamodb}. None is a credential, because
	 * reports and endpoints may show properties.
	 *
	 * @param region AWS region of the lock table. Default: the region of Spring Cloud AWS
	 * or the SDK's default chain.
	 * @param endpoint Endpoint of DynamoDB, such as http://localhost:8000. Default: the
	 * region's endpoint.
	 */
	public record DynamoDb(@Nullable String region, @Nullable URI endpoint) {

		/**
		 * Treats a blank region as not set.
		 */
		public DynamoDb {
			region = textOrNull(region);
		}

		boolean isEmpty() {
			return this.region == null && this.endpoint == null;
		}

	}

	/**
	 * The properties under {@code dynamodb-lock.advice}.
	 *
	 * @param order Order of the advice. It runs outside advice with a higher order, such
	 * as transactions and caches.
	 * @param missing What happens if an annotated bean was created without the advice, so
	 * that its methods run without the lock. Use warn if tests replace beans by means
	 * other than Spring's.
	 * @param maxLocksPerCall Maximum number of locks of a call whose key is a collection
	 * or an array. A call that needs more is refused.
	 */
	public record Advice(@DefaultValue("1000") int order, @DefaultValue("fail") MissingAdvice missing,
			@DefaultValue("100") int maxLocksPerCall) {
	}

	/** Whether the lock table is created at startup. */
	public enum TableCreation {

		/** The table must exist; startup fails if it is missing. */
		NEVER,

		/** A missing table is created with on-demand billing before startup goes on. */
		IF_MISSING

	}

	/**
	 * The properties under {@code dynamodb-lock.jobs}.
	 *
	 * @param clockTolerance Maximum difference between a node's clock and DynamoDB's, at
	 * least 2s. For a job with short intervals, it is half an interval, but at least 2s.
	 * While the difference is larger, the node starts no tick.
	 */
	public record Jobs(@DefaultValue("30s") Duration clockTolerance) {
	}

	/**
	 * What happens if an annotated bean was created without the lock's advice.
	 */
	public enum MissingAdvice {

		/** Startup fails, or the creation of the bean if that is later. */
		FAIL,

		/** A WARN names each method; the methods run without the lock. */
		WARN

	}

	/**
	 * The properties under {@code dynamodb-lock.events}.
	 *
	 * @param enabled Whether to publish application events about locks and scheduled
	 * jobs.
	 */
	public record Events(@DefaultValue("true") boolean enabled) {
	}

	/**
	 * The properties under {@code dynamodb-lock.registry}.
	 *
	 * @param enabled Whether to create a LockRegistry if Spring Integration is on the
	 * class path and the application defines none.
	 * @param keyPrefix Prefix of the registry's keys, after dynamodb-lock.key-prefix. If
	 * empty, the registry shares its locks with annotated methods and LockTemplate.
	 * @param leaseDuration Lease of the registry's locks, which are renewed while they
	 * are held. From 100ms to 365d. Default: the lock client's lease.
	 * @param deleteOnRelease Whether unlocking deletes a lock's item. If false, the item
	 * stays until its time to live, and until then, fencing tokens increase.
	 */
	public record Registry(@DefaultValue("true") boolean enabled, @DefaultValue("registry:") String keyPrefix,
			@Nullable Duration leaseDuration, @DefaultValue("true") boolean deleteOnRelease) {
	}

	/**
	 * The properties under {@code dynamodb-lock.embedded}.
	 *
	 * @param enabled Whether locks are in the memory of this process if the application
	 * has neither a DynamoDbClient nor a service connection. Needs dynamodb-lock-test.
	 * dynamodb-lock-spring-boot-starter-test brings it along, and sets this property to
	 * true in tests with Spring's TestContext Framework.
	 */
	public record Embedded(@DefaultValue("false") boolean enabled) {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.ClientSettings;
import io.github.dynamodblock.runtime.ConcurrencyLimits;
import io.github.dynamodblock.runtime.DefaultLockClient;
import io.github.dynamodblock.runtime.ThreadedEnvironment;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.store.ItemKeys;
import io.github.dynamodblock.store.ItemRules;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Builds a {@link LockClient}. Every option has a default. Not thread-safe; nothing is
 * sent, and no thread started, by building.
 *
 * <pre>{@code
 * LockClient client = LockClient.builder(dynamoDbClient)
 *     .leaseDuration(Duration.ofSeconds(20))
 *     .build();
 * }</pre>
 */
public final class LockClientBuilder {

	private final DynamoDbClient dynamoDbClient;

	private final LockClientOptions options = new LockClientOptions();

	LockClientBuilder(DynamoDbClient dynamoDbClient) {
		this.dynamoDbClient = Objects.requireNonNull(dynamoDbClient, "dynamoDbClient");
	}

	/**
	 * Sets the lock table. It must exist when the first lock is acquired; see
	 * {@link io.github.dynamodblock.table.LockTable}.
	 * @param tableName the table's name or ARN; {@code locks} unless set
	 * @return this builder
	 */
	public LockClientBuilder tableName(String tableName) {
		this.options.tableName = Objects.requireNonNull(tableName, "tableName");
		return this;
	}

	/**
	 * Sets the name of the table's partition key, a string.
	 * @param partitionKeyName the name; {@code key} unless set
	 * @return this builder
	 */
	public LockClientBuilder partitionKeyName(String partitionKeyName) {
		this.options.partitionKeyName = Objects.requireNonNull(partitionKeyName, "partitionKeyName");
		return this;
	}

	/**
	 * Sets the name of the table's sort key, a string. Every lock then needs a
	 * {@link LockKey} with a sort key.
	 * @param sortKeyName the name; {@code null}, which is the default, for none
	 * @return this builder
	 */
	public LockClientBuilder sortKeyName(@Nullable String sortKeyName) {
		this.options.sortKeyName = sortKeyName;
		return this;
	}

	/**
	 * Sets the namespace of the client's locks, so that several applications or stages
	 * can share one table. The partition key in the table is then
	 * {@code <namespace>/<partition>}. {@link LockKey}, {@link LockRecord} and
	 * {@link ListRequest} carry the partition without the namespace, and
	 * {@link LockClient#list()} gives the locks of this namespace only.
	 *
	 * <p>
	 * A client without a namespace sees the keys as the table has them: its lock
	 * {@code a/b} is the lock {@code b} of a client in namespace {@code a}.
	 * @param namespace the namespace, not empty and without a slash; namespace, slash and
	 * partition key may have 2,048 bytes in UTF-8 together; {@code null} for none
	 * @return this builder
	 * @throws IllegalArgumentException if the namespace is not so
	 */
	public LockClientBuilder namespace(@Nullable String namespace) {
		this.options.namespace = (namespace == null) ? null : ItemKeys.requireNamespace(namespace);
		return this;
	}

	/**
	 * Sets who holds the locks. A random suffix is added, so that two clients never have
	 * one name.
	 * @param ownerName the name; the host's name unless set
	 * @return this builder
	 * @throws IllegalArgumentException if it is empty or has a control character, which
	 * would forge lines of logs
	 */
	public LockClientBuilder ownerName(String ownerName) {
		this.options.ownerName = OwnerName.printable(ownerName);
		return this;
	}

	/**
	 * Sets how long a lock outlives its last heartbeat: when its owner dies, others wait
	 * that long.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days; 20
	 * seconds unless set
	 * @return this builder
	 * @throws IllegalArgumentException if the lease is not within these limits
	 */
	public LockClientBuilder leaseDuration(Duration leaseDuration) {
		LeaseLimits.checkLease(leaseDuration);
		this.options.leaseDuration = leaseDuration;
		return this;
	}

	/**
	 * Sets the time between two heartbeats of a held lock. Each costs one write.
	 * @param heartbeatPeriod the time, at least 10 ms and at most half the lease; a
	 * quarter of the lease unless set
	 * @return this builder
	 * @throws IllegalArgumentException if the time is less than 10 ms
	 */
	public LockClientBuilder heartbeatPeriod(Duration heartbeatPeriod) {
		LeaseLimits.checkHeartbeat(heartbeatPeriod);
		this.options.heartbeatPeriod = heartbeatPeriod;
		return this;
	}

	/**
	 * Keeps all heartbeats of the client to a fixed rate, so that their cost is known
	 * beforehand. Without it, each lock has its own, spread over the period. One lock
	 * needs one heartbeat a period; with more locks than the rate can keep, periods grow,
	 * and before a lock would be lost because of it the rate is exceeded.
	 * @param heartbeatsPerSecond the rate, positive; no fixed rate unless set
	 * @return this builder
	 * @throws IllegalArgumentException if the rate is not positive
	 */
	public LockClientBuilder heartbeatsPerSecond(double heartbeatsPerSecond) {
		LeaseLimits.checkHeartbeatsPerSecond(heartbeatsPerSecond);
		this.options.heartbeatsPerSecond = heartbeatsPerSecond;
		return this;
	}

	/**
	 * Sets how many heartbeats are under way at a time; others wait for a slot.
	 * @param maxConcurrentHeartbeats the number, from 1 to 10,000; 25 unless set
	 * @return this builder
	 */
	public LockClientBuilder maxConcurrentHeartbeats(int maxConcurrentHeartbeats) {
		this.options.maxConcurrentHeartbeats = ConcurrencyLimits.checked("maxConcurrentHeartbeats",
				maxConcurrentHeartbeats);
		return this;
	}

	/**
	 * Sets how many other calls are under way at a time; a fifth is for releases alone.
	 * @param maxConcurrentCalls the number, from 1 to 10,000; 25 unless set
	 * @return this builder
	 */
	public LockClientBuilder maxConcurrentCalls(int maxConcurrentCalls) {
		this.options.maxConcurrentCalls = ConcurrencyLimits.checked("maxConcurrentCalls", maxConcurrentCalls);
		return this;
	}

	/**
	 * Sets how long before a lock would be lost {@link LockListener#onExpiring} is told.
	 * @param expiryWarning the time, positive; a third of the lease unless set
	 * @return this builder
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public LockClientBuilder expiryWarning(Duration expiryWarning) {
		LeaseLimits.checkExpiryWarning(expiryWarning);
		this.options.expiryWarning = expiryWarning;
		return this;
	}

	/**
	 * Sets the time between two looks at a lock that another client holds. A look costs
	 * half a read unit.
	 * @param pollInterval the time, from 10 ms to 1 hour; unless set, 45 ms at first,
	 * then longer the longer a holder is seen, up to a fiftieth of its lease and 500 ms
	 * @return this builder
	 * @throws IllegalArgumentException if the time is not within these limits
	 */
	public LockClientBuilder pollInterval(Duration pollInterval) {
		LeaseLimits.checkPollInterval(pollInterval);
		this.options.pollInterval = pollInterval;
		return this;
	}

	/**
	 * Sets by how much the clock of any machine may run fast or slow. A holder counts on
	 * its lease for that much less.
	 * @param clockRateTolerance a fraction, from 0 to 0.2; 0.01 unless set
	 * @return this builder
	 * @throws IllegalArgumentException if the fraction is not within these limits
	 */
	public LockClientBuilder clockRateTolerance(double clockRateTolerance) {
		LeaseLimits.checkClockRateTolerance(clockRateTolerance);
		this.options.clockRateTolerance = clockRateTolerance;
		return this;
	}

	/**
	 * Lets wall clocks decide when a dead owner's lease has ended, so that a client takes
	 * a lock over which it never saw before, without waiting for a lease. Owners then
	 * write when their lease ends, and others wait for that time and this bound. Setting
	 * it says that every clock of every client is within half the bound of true time, at
	 * all times, steps included; where that is not so, two may hold one lock.
	 * @param clockSkewBound the bound, positive and at most a day; off unless set
	 * @return this builder
	 * @throws IllegalArgumentException if the bound is not within these limits
	 */
	public LockClientBuilder clockSkewBound(Duration clockSkewBound) {
		LeaseLimits.checkClockSkewBound(clockSkewBound);
		this.options.clockSkewBound = clockSkewBound;
		return this;
	}

	/**
	 * Sets how long {@link LockClient#acquire} waits while others hold the lock.
	 * @param waitTime the time, not negative; one and a half leases unless set, so that a
	 * wait outlives a crashed owner
	 * @return this builder
	 * @throws IllegalArgumentException if the time is negative
	 */
	public LockClientBuilder waitTime(Duration waitTime) {
		LeaseLimits.checkWaitTime(waitTime);
		this.options.waitTime = waitTime;
		return this;
	}

	/**
	 * Sets how long a lock is held at most, unless its request says otherwise; see
	 * {@link LockRequest#holdAtMost}.
	 * @param holdAtMost the time, at least 100 ms; {@code null}, which is the default,
	 * for no limit
	 * @return this builder
	 * @throws IllegalArgumentException if the time is shorter than 100 ms
	 */
	public LockClientBuilder holdAtMost(@Nullable Duration holdAtMost) {
		LeaseLimits.checkHoldAtMost(holdAtMost);
		this.options.holdAtMost = holdAtMost;
		return this;
	}

	/**
	 * Sets after how long DynamoDB may delete the item of a lock that nobody uses any
	 * more. It takes effect only where time to live is on for the table.
	 * @param timeToLive the time, at least a day; 7 days unless set; {@code null} for
	 * never, which a table shared with other kinds of lock clients needs
	 * @return this builder
	 * @throws IllegalArgumentException if it is not from a day to ten years
	 */
	public LockClientBuilder timeToLive(@Nullable Duration timeToLive) {
		LeaseLimits.checkTimeToLive(timeToLive);
		this.options.timeToLive = timeToLive;
		return this;
	}

	/**
	 * Sets the attribute that carries the time to live.
	 * @param timeToLiveAttributeName the name; {@code expiresAt} unless set
	 * @return this builder
	 */
	public LockClientBuilder timeToLiveAttributeName(String timeToLiveAttributeName) {
		this.options.timeToLiveAttributeName = Objects.requireNonNull(timeToLiveAttributeName,
				"timeToLiveAttributeName");
		return this;
	}

	/**
	 * Sets the attribute that carries the fencing token. All clients of a table need the
	 * same one: each counts on from what it finds there.
	 * @param fencingTokenAttributeName the name; {@code fencingToken} unless set
	 * @return this builder
	 */
	public LockClientBuilder fencingTokenAttributeName(String fencingTokenAttributeName) {
		this.options.fencingTokenAttributeName = Objects.requireNonNull(fencingTokenAttributeName,
				"fencingTokenAttributeName");
		return this;
	}

	/**
	 * Sets whether a release deletes the lock's item instead of keeping it as released.
	 * Fencing tokens then increase only as far as the clocks of the owners agree.
	 * @param deleteOnRelease whether to delete; {@code false} unless set
	 * @return this builder
	 */
	public LockClientBuilder deleteOnRelease(boolean deleteOnRelease) {
		this.options.deleteOnRelease = deleteOnRelease;
		return this;
	}

	/**
	 * Sets how many locks of others the client remembers between calls. What is
	 * remembered lets a caller that never waits take over a dead owner's lock.
	 * @param observationCapacity the number, positive; 10,000 unless set
	 * @return this builder
	 * @throws IllegalArgumentException if the number is not positive
	 */
	public LockClientBuilder observationCapacity(int observationCapacity) {
		LeaseLimits.checkObservationCapacity(observationCapacity);
		this.options.observationCapacity = observationCapacity;
		return this;
	}

	/**
	 * Sets whether an acquisition that was refused is followed by one eventually
	 * consistent read in the background, which costs half a read unit. It is sent when
	 * the holder's lease would expire, unless the client saw the holder renew in the
	 * meantime. If the holder crashed within that time, the next try takes over at once.
	 * @param backgroundReads whether to; {@code true} unless set
	 * @return this builder
	 */
	public LockClientBuilder backgroundReads(boolean backgroundReads) {
		this.options.backgroundReads = backgroundReads;
		return this;
	}

	/**
	 * Adds a listener that is told what happens to all locks of the client.
	 * @param listener the listener
	 * @return this builder
	 */
	public LockClientBuilder listener(LockListener listener) {
		this.options.listeners.add(Objects.requireNonNull(listener, "listener"));
		return this;
	}

	/**
	 * Sets what makes the client's threads.
	 * @param threadFactory the factory; one of named daemon threads unless set
	 * @return this builder
	 */
	public LockClientBuilder threadFactory(ThreadFactory threadFactory) {
		this.options.threadFactory = Objects.requireNonNull(threadFactory, "threadFactory");
		return this;
	}

	/**
	 * Sets where listeners are called. A listener that blocks takes a thread of it; an
	 * executor that runs tasks on the calling thread lets listeners delay heartbeats.
	 * @param listenerExecutor the executor, which stays the caller's; threads of the
	 * client's own unless set
	 * @return this builder
	 */
	public LockClientBuilder listenerExecutor(Executor listenerExecutor) {
		this.options.listenerExecutor = Objects.requireNonNull(listenerExecutor, "listenerExecutor");
		return this;
	}

	/**
	 * Checks that the options fit together, as {@link #build()} does.
	 * @throws IllegalArgumentException if they do not
	 */
	public void validate() {
		settings();
	}

	/**
	 * Builds the client.
	 * @return the client
	 * @throws IllegalArgumentException if options do not fit together, such as a
	 * heartbeat period above half the lease, or two attributes of one name
	 */
	public LockClient build() {
		LockClientOptions set = this.options;
		ConcurrencyLimits limits = ConcurrencyLimits.of(set.maxConcurrentHeartbeats, set.maxConcurrentCalls);
		TableSchema schema = schema();
		ItemKeys keys = new ItemKeys(schema, set.namespace);
		return DefaultLockClient.open(settings(), new DynamoDbLockStore(this.dynamoDbClient, schema, keys),
				(store) -> new ThreadedEnvironment(store, limits, set.threadFactory, set.listenerExecutor));
	}

	private TableSchema schema() {
		return new TableSchema(this.options.tableName, this.options.partitionKeyName, this.options.sortKeyName,
				this.options.fencingTokenAttributeName, this.options.timeToLiveAttributeName);
	}

	private ClientSettings settings() {
		LockClientOptions set = this.options;
		LeaseTerms terms = new LeaseTerms(set.leaseDuration, set.heartbeatPeriod(), set.expiryWarning,
				set.clockRateTolerance, set.timeToLive, set.clockSkewBound);
		return new ClientSettings(OwnerName.unique(set.ownerName), terms, set.waitTime(), set.holdAtMost,
				set.deleteOnRelease, set.pollInterval, set.heartbeatsPerSecond, set.observationCapacity,
				set.backgroundReads, List.copyOf(set.listeners),
				new ItemRules(schema(), new ItemKeys(schema(), set.namespace)));
	}

}

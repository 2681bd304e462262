/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.DefaultLockClient;
import io.github.dynamodblock.runtime.environment.ThreadedEnvironment;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import io.github.dynamodblock.store.DynamoDbLockStore;
import io.github.dynamodblock.store.ItemRules;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Builds a {@link LockClient}. Every option has a default. A method that sets one returns
 * this builder, and throws {@link IllegalArgumentException} if the value is outside its
 * documented limits. {@link LockRequest} overrides some options for one lock. Building a
 * client sends nothing to DynamoDB and starts no thread, but looks up the host's name if
 * no {@link #ownerName} is set. Not thread-safe.
 *
 * <pre>{@code
 * LockClient client = LockClient.builder(dynamoDbClient)
 *     .leaseDuration(Duration.ofSeconds(20))
 *     .build();
 * }</pre>
 *
 * <p>
 * No parameter may be {@code null} unless its description allows it.
 */
public class LockClientBuilder {

	/** How many locks of other owners a client remembers between calls. */
	private static final int OBSERVED_LOCKS = 10_000;

	// Not final, so that an application's advice can put a class proxy before the bean.

	private final DynamoDbClient dynamoDbClient;

	private final List<LockListener> listeners = new ArrayList<>();

	private String tableName = "locks";

	private String partitionKeyName = TableSchema.DEFAULT_PARTITION_KEY;

	private @Nullable String sortKeyName;

	private @Nullable String namespace;

	private String fencingTokenAttributeName = TableSchema.DEFAULT_FENCING_TOKEN;

	private String timeToLiveAttributeName = TableSchema.DEFAULT_TIME_TO_LIVE;

	private @Nullable String ownerName;

	private Duration leaseDuration = Duration.ofSeconds(20);

	private @Nullable Duration heartbeatPeriod;

	private int maxConcurrentHeartbeats = ThreadedEnvironment.DEFAULT_CONCURRENCY;

	private int maxConcurrentCalls = ThreadedEnvironment.DEFAULT_CONCURRENCY;

	private @Nullable Duration expiryWarning;

	private @Nullable Duration pollInterval;

	private double clockRateTolerance = LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE;

	private @Nullable Duration clockSkewBound;

	private @Nullable Duration waitTime;

	private @Nullable Duration holdAtMost;

	private @Nullable Duration timeToLive = Duration.ofDays(7);

	private boolean deleteOnRelease;

	private boolean backgroundReads = true;

	private @Nullable ThreadFactory threadFactory;

	private @Nullable Executor listenerExecutor;

	private UnaryOperator<Executor> callersContext = UnaryOperator.identity();

	LockClientBuilder(DynamoDbClient dynamoDbClient) {
		this.dynamoDbClient = Objects.requireNonNull(dynamoDbClient, "dynamoDbClient");
	}

	/**
	 * Sets the lock table. It must exist when the first lock is acquired; see
	 * {@link io.github.dynamodblock.table.LockTable}.
	 * @param tableName the table's name or ARN; the default is {@code locks}
	 */
	public LockClientBuilder tableName(String tableName) {
		this.tableName = Objects.requireNonNull(tableName, "tableName");
		return this;
	}

	/**
	 * Sets the name of the table's partition key, which is a string. The default is
	 * {@code key}.
	 */
	public LockClientBuilder partitionKeyName(String partitionKeyName) {
		this.partitionKeyName = Objects.requireNonNull(partitionKeyName, "partitionKeyName");
		return this;
	}

	/**
	 * Sets the name of the table's sort key, which is a string. Every lock then needs a
	 * {@link LockKey} with a sort key. {@code null}, the default, is for a table without
	 * a sort key.
	 */
	public LockClientBuilder sortKeyName(@Nullable String sortKeyName) {
		this.sortKeyName = sortKeyName;
		return this;
	}

	/**
	 * Sets the namespace of the client's locks, so that several applications or
	 * environments can share a table. The partition key in the table is then
	 * {@code <namespace>/<partition>}. {@link LockKey}, {@link LockRecord} and
	 * {@link ListRequest} have the partition without the namespace, and
	 * {@link LockClient#list()} lists the locks of this namespace only.
	 *
	 * <p>
	 * A client without a namespace uses the table's keys as they are, so it sees lock
	 * {@code b} of namespace {@code a} as {@code a/b}.
	 * @param namespace the namespace, not empty and without a slash, or {@code null}, the
	 * default, for none. The limit for namespace, slash and partition key together is
	 * 2,048 bytes in UTF-8.
	 */
	public LockClientBuilder namespace(@Nullable String namespace) {
		this.namespace = (namespace == null) ? null : TableSchema.requireNamespace(namespace);
		return this;
	}

	/**
	 * Sets the owner name of the client's locks. A random suffix makes it unique to the
	 * client. A {@linkplain LockClient#afterRestore() restored} process gets a new
	 * suffix. The default is the host's name.
	 * @param ownerName the name, not empty. Control characters are rejected, because they
	 * could forge log lines.
	 */
	public LockClientBuilder ownerName(String ownerName) {
		this.ownerName = Limits.checkOwnerName(ownerName);
		return this;
	}

	/**
	 * Sets the lease: how long a lock outlives its last heartbeat. If its owner crashes,
	 * other clients wait that long.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days; the
	 * default is 20 seconds
	 */
	public LockClientBuilder leaseDuration(Duration leaseDuration) {
		this.leaseDuration = Limits.checkLease(leaseDuration);
		return this;
	}

	/**
	 * Sets the time between two heartbeats of a held lock. Each costs one write.
	 * @param heartbeatPeriod the time, at least 10 ms and at most half the lease; the
	 * default is a quarter of the lease
	 */
	public LockClientBuilder heartbeatPeriod(Duration heartbeatPeriod) {
		this.heartbeatPeriod = Limits.checkHeartbeat(heartbeatPeriod);
		return this;
	}

	/**
	 * Sets how many heartbeats are sent at a time, from 1 to 10,000. Others wait for a
	 * slot. The default is 25.
	 */
	public LockClientBuilder maxConcurrentHeartbeats(int maxConcurrentHeartbeats) {
		this.maxConcurrentHeartbeats = Limits.checkConcurrency("maxConcurrentHeartbeats", maxConcurrentHeartbeats);
		return this;
	}

	/**
	 * Sets how many other calls are sent at a time, from 1 to 10,000. The default is 25.
	 * Others wait for a slot: releases first, then guarded writes, then
	 * {@link LockClient#find} and the pages of {@link LockClient#list}, and acquisitions
	 * last. Acquisitions and reads leave a fifth of the slots free, and guarded writes a
	 * tenth, so that locks can be released while other calls hang. If an acquisition
	 * still has no slot one second after its wait time, it fails and sends nothing more.
	 */
	public LockClientBuilder maxConcurrentCalls(int maxConcurrentCalls) {
		this.maxConcurrentCalls = Limits.checkConcurrency("maxConcurrentCalls", maxConcurrentCalls);
		return this;
	}

	/**
	 * Sets how long before its loss a lock counts as expiring, which
	 * {@link LockListener#onExpiring} reports. The time is scaled if a request has
	 * another lease.
	 * @param expiryWarning the time, positive; the default is a third of the lease's
	 * {@linkplain #clockRateTolerance validity}. {@link #build()} checks that it leaves
	 * time for a heartbeat.
	 */
	public LockClientBuilder expiryWarning(Duration expiryWarning) {
		this.expiryWarning = Limits.checkExpiryWarning(expiryWarning);
		return this;
	}

	/**
	 * Sets the default of {@link LockRequest#pollInterval}.
	 * @param pollInterval the time, from 10 ms to 1 hour. The default is about 45 ms
	 * during the first second after the client sees a new holder. The interval then grows
	 * to a fiftieth of the holder's lease, within the limits of 50 ms and 500 ms.
	 */
	public LockClientBuilder pollInterval(Duration pollInterval) {
		this.pollInterval = Limits.checkPollInterval(pollInterval);
		return this;
	}

	/**
	 * Sets the fraction by which any machine's clock may run fast or slow. A holder's
	 * clock may be slow while another client's is fast. The holder therefore relies on
	 * its lock for less than the lease. This shorter time is the <em>validity</em>. For a
	 * tolerance {@code t}, it is {@code (1 - t) / (1 + t)} of the lease: 98 % by default.
	 * If the rates of two clocks differ by more, two clients can hold one lock.
	 *
	 * <p>
	 * No tolerance covers a clock that stops. On Linux, a holder's clock includes the
	 * time for which its machine was suspended. On other systems, it includes that time
	 * only if {@link System#nanoTime()} does; otherwise a holder can believe that it
	 * still holds a lock after its machine has resumed.
	 * @param clockRateTolerance the fraction, from 0 to 0.2; the default is 0.01
	 */
	public LockClientBuilder clockRateTolerance(double clockRateTolerance) {
		this.clockRateTolerance = Limits.checkClockRateTolerance(clockRateTolerance);
		return this;
	}

	/**
	 * Lets wall clocks decide when the lease of a crashed owner has expired. A client
	 * that sees such a lock for the first time then need not wait for a whole lease
	 * before it takes the lock over. Owners then store the end of their lease, and other
	 * clients wait until that time and this bound have passed.
	 *
	 * <p>
	 * You assert that every client's wall clock is always within half the bound of true
	 * time, even when the clock is set. Otherwise, two clients can hold one lock.
	 *
	 * <p>
	 * Each client compares its clock with the {@code Date} of DynamoDB's responses. If
	 * the two differ by more than half the bound, the client logs a WARN and does not use
	 * the option until they agree again. It may not notice differences of less than about
	 * a second.
	 * @param clockSkewBound the bound, positive and at most a day; by default, wall
	 * clocks decide nothing
	 */
	public LockClientBuilder clockSkewBound(Duration clockSkewBound) {
		this.clockSkewBound = Limits.checkClockSkewBound(clockSkewBound);
		return this;
	}

	/**
	 * Sets the default of {@link LockRequest#waitTime}, for acquisitions that wait.
	 * @param waitTime the time, not negative; the default is one and a half leases, so a
	 * wait outlasts a crashed owner's lease
	 */
	public LockClientBuilder waitTime(Duration waitTime) {
		this.waitTime = Limits.checkWaitTime(waitTime);
		return this;
	}

	/**
	 * Sets the default of {@link LockRequest#holdAtMost}.
	 * @param holdAtMost the time, at least 100 ms, or {@code null}, the default, for no
	 * limit
	 */
	public LockClientBuilder holdAtMost(@Nullable Duration holdAtMost) {
		this.holdAtMost = (holdAtMost == null) ? null : Limits.checkHoldAtMost(holdAtMost);
		return this;
	}

	/**
	 * Sets the time after which DynamoDB may delete the item of an unused lock. It takes
	 * effect only if time to live is enabled for the table. An item always stays for at
	 * least a day after its lease.
	 * @param timeToLive the time, from a day to ten years; the default is 7 days.
	 * {@code null} means never; set it if other kinds of lock clients share the table.
	 */
	public LockClientBuilder timeToLive(@Nullable Duration timeToLive) {
		this.timeToLive = (timeToLive == null) ? null : Limits.checkTimeToLive(timeToLive);
		return this;
	}

	/**
	 * Sets the name of the attribute that holds the time to live. The default is
	 * {@code expiresAt}.
	 */
	public LockClientBuilder timeToLiveAttributeName(String timeToLiveAttributeName) {
		this.timeToLiveAttributeName = Objects.requireNonNull(timeToLiveAttributeName, "timeToLiveAttributeName");
		return this;
	}

	/**
	 * Sets the name of the attribute that holds the fencing token. The default is
	 * {@code fencingToken}. All clients of a table need the same name, because each new
	 * owner increments the previous owner's token.
	 */
	public LockClientBuilder fencingTokenAttributeName(String fencingTokenAttributeName) {
		this.fencingTokenAttributeName = Objects.requireNonNull(fencingTokenAttributeName, "fencingTokenAttributeName");
		return this;
	}

	/**
	 * Sets whether a release deletes the lock's item instead of keeping it as released.
	 * The default is {@code false}. After a deletion, fencing tokens continue from the
	 * next owner's clock, so they increase only if the owners' clocks agree. A
	 * {@linkplain LockRequest#keptItem kept} item is never deleted: DynamoDB refuses the
	 * deletion, and the client then releases the lock by a second write.
	 */
	public LockClientBuilder deleteOnRelease(boolean deleteOnRelease) {
		this.deleteOnRelease = deleteOnRelease;
		return this;
	}

	/**
	 * Sets whether the client makes one background read after a refused acquisition, at
	 * the time when the holder's lease would expire. If the holder has crashed, the
	 * client's next attempt can then take over at once. The read is eventually consistent
	 * and costs half a read unit. It is not made if the client has seen the holder renew
	 * the lock in the meantime. The default is {@code true}.
	 */
	public LockClientBuilder backgroundReads(boolean backgroundReads) {
		this.backgroundReads = backgroundReads;
		return this;
	}

	/** Adds a listener for all locks of the client. */
	public LockClientBuilder listener(LockListener listener) {
		this.listeners.add(Objects.requireNonNull(listener, "listener"));
		return this;
	}

	/**
	 * Sets the factory of the client's threads. The default creates named daemon threads.
	 */
	public LockClientBuilder threadFactory(ThreadFactory threadFactory) {
		this.threadFactory = Objects.requireNonNull(threadFactory, "threadFactory");
		return this;
	}

	/**
	 * Sets the executor that calls listeners. A listener that blocks occupies one of its
	 * threads. If the executor runs tasks on the calling thread, listeners can delay
	 * heartbeats.
	 * @param listenerExecutor the executor, which the caller shuts down; by default,
	 * threads of the client call listeners
	 */
	public LockClientBuilder listenerExecutor(Executor listenerExecutor) {
		this.listenerExecutor = Objects.requireNonNull(listenerExecutor, "listenerExecutor");
		return this;
	}

	/**
	 * Sets how a caller's context, such as its trace, is restored when a thread of the
	 * client makes a call for that caller. {@link LockClient} lists these calls; all
	 * others are made on the caller's own thread.
	 * @param callersContext a function that is called on the caller's thread. It receives
	 * an executor with the client's threads and returns one that runs every task on it,
	 * in the caller's context. By default, tasks run without that context.
	 */
	public LockClientBuilder callersContext(UnaryOperator<Executor> callersContext) {
		this.callersContext = Objects.requireNonNull(callersContext, "callersContext");
		return this;
	}

	/** Checks that the options fit together; throws what {@link #build()} throws. */
	public void validate() {
		settings();
	}

	/**
	 * Builds the client.
	 * @throws IllegalArgumentException if options do not fit together, such as a
	 * heartbeat period above half the lease, or two attributes of one name
	 */
	public LockClient build() {
		// Copies, because this builder may change before the client is restored.
		ClientSettings settings = settings();
		TableSchema schema = schema();
		String owner = this.ownerName;
		boolean comparesClocks = this.clockSkewBound != null;
		int heartbeats = this.maxConcurrentHeartbeats;
		int calls = this.maxConcurrentCalls;
		ThreadFactory threads = this.threadFactory;
		Executor listeners = this.listenerExecutor;
		UnaryOperator<Executor> context = this.callersContext;
		return DefaultLockClient.open(() -> settings.withOwnerName(uniqueOwnerName(owner)),
				() -> new DynamoDbLockStore(this.dynamoDbClient, schema), (store) -> new ThreadedEnvironment(store,
						comparesClocks, heartbeats, calls, threads, listeners, context));
	}

	private TableSchema schema() {
		return new TableSchema(this.tableName, this.partitionKeyName, this.sortKeyName, this.fencingTokenAttributeName,
				this.timeToLiveAttributeName, this.namespace);
	}

	private ClientSettings settings() {
		Duration heartbeat = (this.heartbeatPeriod != null) ? this.heartbeatPeriod : this.leaseDuration.dividedBy(4);
		Duration wait = (this.waitTime != null) ? this.waitTime : this.leaseDuration.multipliedBy(3).dividedBy(2);
		LeaseTerms terms = new LeaseTerms(this.leaseDuration, heartbeat, this.expiryWarning, this.clockRateTolerance,
				this.timeToLive, this.clockSkewBound);
		// Each client gets another owner name.
		return new ClientSettings("", terms, wait, this.holdAtMost, this.deleteOnRelease, this.pollInterval,
				OBSERVED_LOCKS, this.backgroundReads, List.copyOf(this.listeners), new ItemRules(schema()));
	}

	private static String uniqueOwnerName(@Nullable String ownerName) {
		return ((ownerName != null) ? ownerName : hostName()) + "-" + UUID.randomUUID();
	}

	private static String hostName() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			// The suffix alone makes owners unique; the host is for people to read.
			return "unknown-host";
		}
	}

}

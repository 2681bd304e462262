/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.store.TableSchema;
import org.jspecify.annotations.Nullable;

/**
 * What was set on a builder of a client, and the defaults.
 */
final class LockClientOptions {

	private static final Duration DEFAULT_LEASE = Duration.ofSeconds(20);

	private static final Duration DEFAULT_TIME_TO_LIVE = Duration.ofDays(7);

	private static final int DEFAULT_OBSERVATION_CAPACITY = 10_000;

	String tableName = "locks";

	String partitionKeyName = TableSchema.DEFAULT_PARTITION_KEY;

	@Nullable String sortKeyName;

	@Nullable String namespace;

	String fencingTokenAttributeName = TableSchema.DEFAULT_FENCING_TOKEN;

	String timeToLiveAttributeName = TableSchema.DEFAULT_TIME_TO_LIVE;

	@Nullable String ownerName;

	Duration leaseDuration = DEFAULT_LEASE;

	@Nullable Duration heartbeatPeriod;

	@Nullable Duration waitTime;

	@Nullable Duration holdAtMost;

	@Nullable Duration timeToLive = DEFAULT_TIME_TO_LIVE;

	boolean deleteOnRelease;

	int observationCapacity = DEFAULT_OBSERVATION_CAPACITY;

	boolean backgroundReads = true;

	final List<LockListener> listeners = new ArrayList<>();

	@Nullable ThreadFactory threadFactory;

	@Nullable Executor listenerExecutor;

	@Nullable Duration expiryWarning;

	@Nullable Duration pollInterval;

	double heartbeatsPerSecond;

	@Nullable Integer maxConcurrentHeartbeats;

	@Nullable Integer maxConcurrentCalls;

	double clockRateTolerance = LeaseTerms.DEFAULT_CLOCK_RATE_TOLERANCE;

	@Nullable Duration clockSkewBound;

	Duration heartbeatPeriod() {
		return (this.heartbeatPeriod != null) ? this.heartbeatPeriod : this.leaseDuration.dividedBy(4);
	}

	Duration waitTime() {
		return (this.waitTime != null) ? this.waitTime : this.leaseDuration.multipliedBy(3).dividedBy(2);
	}

}

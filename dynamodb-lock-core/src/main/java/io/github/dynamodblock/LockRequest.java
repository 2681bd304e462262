/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What to acquire, and how. What is not set comes from the client. Immutable: every
 * method that sets something returns a new request.
 *
 * <pre>{@code
 * LockRequest request = LockRequest.of("orders-42")
 *     .waitTime(Duration.ofSeconds(5))
 *     .leaseDuration(Duration.ofSeconds(30));
 * }</pre>
 */
public final class LockRequest {

	private final LockKey key;

	private final @Nullable Duration waitTime;

	private final @Nullable Duration leaseDuration;

	private final @Nullable Duration heartbeatPeriod;

	private final Duration holdAtLeast;

	private final byte @Nullable [] data;

	private final @Nullable LockListener listener;

	private LockRequest(LockKey key, @Nullable Duration waitTime, @Nullable Duration leaseDuration,
			@Nullable Duration heartbeatPeriod, Duration holdAtLeast, byte @Nullable [] data,
			@Nullable LockListener listener) {
		this.key = key;
		this.waitTime = waitTime;
		this.leaseDuration = leaseDuration;
		this.heartbeatPeriod = heartbeatPeriod;
		this.holdAtLeast = holdAtLeast;
		this.data = data;
		this.listener = listener;
	}

	/**
	 * A request for a lock in a table without a sort key.
	 * @param key the partition key of the lock
	 * @return the request, with everything else left to the client
	 * @throws IllegalArgumentException if the key is empty or too long
	 */
	public static LockRequest of(String key) {
		return of(LockKey.of(key));
	}

	/**
	 * A request for a lock.
	 * @param key the lock
	 * @return the request, with everything else left to the client
	 */
	public static LockRequest of(LockKey key) {
		return new LockRequest(Objects.requireNonNull(key, "key"), null, null, null, Duration.ZERO, null, null);
	}

	/**
	 * Sets how long to wait while others hold the lock. Zero means one attempt. A time
	 * too long to be counted, such as {@code Duration.ofSeconds(Long.MAX_VALUE)}, means
	 * for ever.
	 * @param waitTime the time, not negative
	 * @return a request with this wait time
	 * @throws IllegalArgumentException if the time is negative
	 */
	public LockRequest waitTime(Duration waitTime) {
		requireNotNegative("waitTime", waitTime);
		return new LockRequest(this.key, waitTime, this.leaseDuration, this.heartbeatPeriod, this.holdAtLeast,
				this.data, this.listener);
	}

	/**
	 * Sets how long the lock outlives its last heartbeat.
	 * @param leaseDuration the lease, in whole milliseconds, from 100 ms to 365 days
	 * @return a request with this lease; without a heartbeat period of its own, it keeps
	 * the client's proportion of heartbeat to lease
	 * @throws IllegalArgumentException if the lease is not within these limits
	 */
	public LockRequest leaseDuration(Duration leaseDuration) {
		LeaseLimits.checkLease(leaseDuration);
		return new LockRequest(this.key, this.waitTime, leaseDuration, this.heartbeatPeriod, this.holdAtLeast,
				this.data, this.listener);
	}

	/**
	 * Sets the time between two heartbeats.
	 * @param heartbeatPeriod the time, positive; at most half the lease, which is checked
	 * when the lock is acquired
	 * @return a request with this heartbeat period
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public LockRequest heartbeatPeriod(Duration heartbeatPeriod) {
		LeaseLimits.checkHeartbeat(heartbeatPeriod);
		return new LockRequest(this.key, this.waitTime, this.leaseDuration, heartbeatPeriod, this.holdAtLeast,
				this.data, this.listener);
	}

	/**
	 * Sets how long, from the acquisition on, the lock stays held even if it is released
	 * earlier: the client keeps it until then. For short jobs which must not run twice on
	 * nodes whose clocks differ.
	 * @param holdAtLeast the time, from zero to 365 days
	 * @return a request with this time
	 * @throws IllegalArgumentException if the time is not within these limits
	 */
	public LockRequest holdAtLeast(Duration holdAtLeast) {
		requireNotNegative("holdAtLeast", holdAtLeast);
		if (holdAtLeast.compareTo(LeaseLimits.LONGEST_LEASE) > 0) {
			throw new IllegalArgumentException("holdAtLeast is " + holdAtLeast + "; it must be at most 365 days");
		}
		return new LockRequest(this.key, this.waitTime, this.leaseDuration, this.heartbeatPeriod, holdAtLeast,
				this.data, this.listener);
	}

	/**
	 * Sets bytes to store with the lock, for others to read. An item above 1 KB costs
	 * more than one write unit at every acquisition, heartbeat and release.
	 * @param data the bytes, copied
	 * @return a request with this data
	 */
	public LockRequest data(byte[] data) {
		return new LockRequest(this.key, this.waitTime, this.leaseDuration, this.heartbeatPeriod, this.holdAtLeast,
				data.clone(), this.listener);
	}

	/**
	 * Sets who is told what happens to this lock, besides the client's listeners.
	 * @param listener the listener
	 * @return a request with this listener
	 */
	public LockRequest listener(LockListener listener) {
		return new LockRequest(this.key, this.waitTime, this.leaseDuration, this.heartbeatPeriod, this.holdAtLeast,
				this.data, Objects.requireNonNull(listener, "listener"));
	}

	/**
	 * The lock.
	 * @return the key
	 */
	public LockKey key() {
		return this.key;
	}

	/**
	 * How long to wait.
	 * @return the time, or empty if it is left to the client
	 */
	public Optional<Duration> waitTime() {
		return Optional.ofNullable(this.waitTime);
	}

	/**
	 * The lease.
	 * @return the lease, or empty if it is left to the client
	 */
	public Optional<Duration> leaseDuration() {
		return Optional.ofNullable(this.leaseDuration);
	}

	/**
	 * The time between two heartbeats.
	 * @return the period, or empty if it is left to the client
	 */
	public Optional<Duration> heartbeatPeriod() {
		return Optional.ofNullable(this.heartbeatPeriod);
	}

	/**
	 * How long the lock stays held at least.
	 * @return the time, zero unless set
	 */
	public Duration holdAtLeast() {
		return this.holdAtLeast;
	}

	/**
	 * The bytes to store with the lock.
	 * @return a copy, or empty if there are none
	 */
	public Optional<byte[]> data() {
		return (this.data == null) ? Optional.empty() : Optional.of(this.data.clone());
	}

	/**
	 * Who is told what happens to this lock.
	 * @return the listener, or empty if only the client's are told
	 */
	public Optional<LockListener> listener() {
		return Optional.ofNullable(this.listener);
	}

	/**
	 * The request in one line, without its data.
	 */
	@Override
	public String toString() {
		return "LockRequest[key=" + this.key + ", waitTime=" + this.waitTime + ", leaseDuration=" + this.leaseDuration
				+ ", heartbeatPeriod=" + this.heartbeatPeriod + ", holdAtLeast=" + this.holdAtLeast + "]";
	}

	private static void requireNotNegative(String name, Duration value) {
		if (value.isNegative()) {
			throw new IllegalArgumentException(name + " is " + value + "; it must not be negative");
		}
	}

}

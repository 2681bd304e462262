/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.protocol.AcquisitionTerms;
import io.github.dynamodblock.protocol.LeaseTerms;
import io.github.dynamodblock.protocol.Moment;
import io.github.dynamodblock.protocol.Nanos;

/**
 * A lock client's settings.
 *
 * @param ownerName the name under which locks are held, unique to the client
 * @param lease the terms of a lease unless the request says otherwise
 * @param waitTime how long an acquisition waits unless the request says otherwise
 * @param deleteOnRelease whether a release deletes the item
 * @param observationCapacity how many locks of others are remembered
 * @param listeners who is told about all locks
 * @param keyCheck throws {@link IllegalArgumentException} for a key that does not fit the
 * table
 */
public record ClientSettings(String ownerName, LeaseTerms lease, Duration waitTime, boolean deleteOnRelease,
		int observationCapacity, List<LockListener> listeners, Consumer<LockKey> keyCheck) {

	/**
	 * @throws IllegalArgumentException if the heartbeat cannot keep the lease
	 */
	public ClientSettings {
		checkHeartbeat(lease.leaseDuration(), lease.heartbeatPeriod());
	}

	/**
	 * What a request asks for, with the rest filled in from these settings.
	 * @param request the request
	 * @param defaultWait how long to wait if the request does not say
	 * @param now the time of the request
	 * @return the terms of its acquisition
	 * @throws IllegalArgumentException if the request does not fit these settings
	 */
	AcquisitionTerms terms(LockRequest request, Duration defaultWait, Moment now) {
		this.keyCheck.accept(request.key());
		Duration leaseDuration = request.leaseDuration().orElse(this.lease.leaseDuration());
		Duration heartbeat = request.heartbeatPeriod().orElseGet(() -> heartbeatFor(leaseDuration));
		checkHeartbeat(leaseDuration, heartbeat);
		LeaseTerms terms = new LeaseTerms(leaseDuration, heartbeat, this.lease.clockRateTolerance(),
				this.lease.timeToLive());
		long wait = Nanos.of(request.waitTime().orElse(defaultWait));
		return new AcquisitionTerms(request, this.ownerName, terms, wait, Nanos.later(now.observerNanos(), wait),
				this.deleteOnRelease);
	}

	/** A request with another lease keeps the proportion of heartbeat to lease. */
	private Duration heartbeatFor(Duration leaseDuration) {
		double share = (double) this.lease.heartbeatPeriod().toNanos() / this.lease.leaseDuration().toNanos();
		return Duration.ofNanos(Math.max(1, (long) (leaseDuration.toNanos() * share)));
	}

	private static void checkHeartbeat(Duration lease, Duration heartbeat) {
		if (heartbeat.multipliedBy(2).compareTo(lease) > 0) {
			throw new IllegalArgumentException("heartbeatPeriod is " + heartbeat + " and leaseDuration " + lease
					+ "; the heartbeat must be at most half the lease, so that one can fail without losing the lock");
		}
	}

}

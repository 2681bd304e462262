/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.shared;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.github.dynamodblock.InvalidLockOptionException;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.store.ItemRules;
import org.jspecify.annotations.Nullable;

/**
 * The options of a lock client, as its builder describes them. Requests override some.
 *
 * @param holdAtMost the longest time to hold a lock, or {@code null} for no limit
 * @param pollInterval the configured poll interval, or {@code null} for one that depends
 * on the observation
 * @param observationCapacity how many locks of other owners the client remembers
 * @param backgroundReads whether a background read follows a refused acquisition
 */
public record ClientSettings(String ownerName, LeaseTerms lease, Duration waitTime, @Nullable Duration holdAtMost,
		boolean deleteOnRelease, @Nullable Duration pollInterval, int observationCapacity, boolean backgroundReads,
		List<LockListener> listeners, ItemRules rules) {

	/**
	 * @throws IllegalArgumentException if heartbeats cannot keep the lease
	 */
	public ClientSettings {
		check(lease);
	}

	/** Returns these options for another client. */
	public ClientSettings withOwnerName(String ownerName) {
		return new ClientSettings(ownerName, this.lease, this.waitTime, this.holdAtMost, this.deleteOnRelease,
				this.pollInterval, this.observationCapacity, this.backgroundReads, this.listeners, this.rules);
	}

	/**
	 * Completes a request with these options.
	 * @param defaultWait the wait time if the request has none
	 * @throws IllegalArgumentException if the request does not fit these options
	 */
	public AcquisitionTerms terms(LockRequest request, Duration defaultWait, ClockReading now) {
		// The last slot of a semaphore has the longest key.
		int permits = request.permits();
		this.rules.checkKey((permits == 1) ? request.key() : request.key().slot(permits - 1));
		LeaseTerms terms = leaseTerms(request);
		Duration holdAtMost = request.holdAtMost().orElse(this.holdAtMost);
		checkHoldAtLeast(request, terms, holdAtMost);
		checkItem(request, terms);
		long wait = Nanos.of(request.waitTime().orElse(defaultWait));
		return new AcquisitionTerms(request, this.ownerName, terms, wait, Nanos.later(now.observerNanos(), wait),
				request.keptItem().isEmpty() && request.deleteOnRelease().orElse(this.deleteOnRelease),
				request.pollInterval().orElse(this.pollInterval), holdAtMost, null);
	}

	private LeaseTerms leaseTerms(LockRequest request) {
		LeaseTerms terms = this.lease.withLeaseDuration(request.leaseDuration().orElse(this.lease.leaseDuration()));
		LeaseTerms asked = new LeaseTerms(terms.leaseDuration(),
				request.heartbeatPeriod().orElse(terms.heartbeatPeriod()), terms.expiryWarning(),
				terms.clockRateTolerance(), terms.timeToLive(), terms.clockSkewBound(), request.keptItem().isPresent());
		if (asked.equals(this.lease)) {
			// The shared instance, which is already checked.
			return this.lease;
		}
		check(asked);
		return asked;
	}

	private void checkItem(LockRequest request, LeaseTerms terms) {
		this.rules.checkChange(request.key(), request.change());
		request.keptItem().ifPresent((kept) -> {
			this.rules.checkChange(request.key(), kept.undo());
			this.rules.checkChange(request.key(), kept.changeAtLimit());
		});
		request.condition().ifPresent((condition) -> this.rules.checkCondition(request.key(), condition));
		this.rules.checkSize(LockRecord.builder(request.key(), this.ownerName, terms.leaseDuration(), "")
			.name(request.name().orElse(null))
			.change(request.change())
			.build());
	}

	private static void checkHoldAtLeast(LockRequest request, LeaseTerms terms, @Nullable Duration holdAtMost) {
		if (holdAtMost != null && request.holdAtLeast().compareTo(holdAtMost) > 0) {
			throw new IllegalArgumentException("holdAtLeast is " + LogText.of(request.holdAtLeast()) + ", but lock '"
					+ request.key() + "' is held for at most " + LogText.of(holdAtMost)
					+ (request.holdAtMost().isPresent() ? "" : ", which is the lock client's holdAtMost")
					+ "; holdAtMost must not be shorter than holdAtLeast");
		}
		Duration longest = Duration.ofNanos(terms.validityNanos());
		if (!request.automaticRenewal() && request.holdAtLeast().compareTo(longest) > 0) {
			throw new IllegalArgumentException(
					"holdAtLeast is " + LogText.of(request.holdAtLeast()) + ", but without automatic renewal lock '"
							+ request.key() + "' is held for only " + LogText.of(longest.truncatedTo(ChronoUnit.MILLIS))
							+ "; leave automaticRenewal on, or set a longer leaseDuration");
		}
	}

	private static void check(LeaseTerms terms) {
		Duration lease = terms.leaseDuration();
		Duration heartbeat = terms.heartbeatPeriod();
		if (heartbeat.multipliedBy(2).compareTo(lease) > 0) {
			throw new InvalidLockOptionException("heartbeatPeriod",
					"heartbeatPeriod is " + LogText.of(heartbeat) + " and leaseDuration is " + LogText.of(lease)
							+ "; heartbeatPeriod must be at most half of leaseDuration, so that one heartbeat can fail "
							+ "without losing the lock");
		}
		Duration longest = Duration.ofNanos(terms.validityNanos()).minus(heartbeat);
		Duration warning = terms.expiryWarning();
		if (warning != null && warning.compareTo(longest) > 0) {
			throw new InvalidLockOptionException("expiryWarning",
					"expiryWarning is " + LogText.of(warning) + "; with leaseDuration " + LogText.of(lease)
							+ " and heartbeatPeriod " + LogText.of(heartbeat) + " it must be at most "
							+ LogText.of(longest.truncatedTo(ChronoUnit.MILLIS))
							+ ", because otherwise every lock would count as expiring before its next heartbeat");
		}
	}

}

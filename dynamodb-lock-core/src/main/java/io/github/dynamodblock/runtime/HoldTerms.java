/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.acquire.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.HeldLease;
import org.jspecify.annotations.Nullable;

/**
 * What a request says about its lock once that is granted. It keeps nothing else of the
 * acquisition, since a lock may be held for long.
 *
 * @param name the name of the request, or {@code null}
 * @param automaticRenewal whether heartbeats are sent without a call to renew
 * @param deleteOnRelease whether a release deletes the lock's item
 * @param holdUntil until when the lock is held even if it is released, on
 * {@link ClockReading#holderNanos()}
 * @param limit until when the lock is held at most, on {@link ClockReading#holderNanos()}
 * @param acquisitionTime how long the acquisition took
 * @param queueKey the turn to pass on when the lock ends, or {@code null}
 */
record HoldTerms(@Nullable String name, boolean automaticRenewal, boolean deleteOnRelease, long holdUntil, long limit,
		Duration acquisitionTime, @Nullable QueueKey queueKey) {

	static HoldTerms of(AcquisitionTerms terms, ClockReading now, Duration acquisitionTime,
			@Nullable QueueKey queueKey) {
		Duration holdAtMost = terms.holdAtMost();
		return new HoldTerms(terms.request().name().orElse(null), terms.request().automaticRenewal(),
				terms.deleteOnRelease(), Nanos.later(now.holderNanos(), Nanos.of(terms.request().holdAtLeast())),
				(holdAtMost != null) ? Nanos.later(now.holderNanos(), Nanos.of(holdAtMost)) : HeldLease.UNLIMITED,
				acquisitionTime, queueKey);
	}

}

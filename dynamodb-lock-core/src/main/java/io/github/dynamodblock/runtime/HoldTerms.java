/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.acquire.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.HeldLease;
import org.jspecify.annotations.Nullable;

/**
 * The options of a granted lock. A lock may be held for long, so that they are all it
 * keeps of its acquisition.
 *
 * @param name the name of the request, or {@code null}
 * @param automaticRenewal whether heartbeats are sent without a call to renew
 * @param deleteOnRelease whether a release deletes the lock's item
 * @param releaseOnClose whether closing the client releases the lock
 * @param undo what the release changes if no caller received the lock
 * @param changeAtLimit what the release changes when holdAtMost is over
 * @param holdUntil when holdAtLeast is over, on {@link ClockReading#holderNanos()}
 * @param limit when holdAtMost is over, on {@link ClockReading#holderNanos()}
 * @param acquisitionTime how long the acquisition took
 * @param queueKey the queue whose turn this lock passes on at its end, or {@code null}
 */
record HoldTerms(@Nullable String name, boolean automaticRenewal, boolean deleteOnRelease, boolean releaseOnClose,
		ItemChange undo, ItemChange changeAtLimit, long holdUntil, long limit, Duration acquisitionTime,
		@Nullable QueueKey queueKey) {

	static HoldTerms of(AcquisitionTerms terms, ClockReading now, Duration acquisitionTime,
			@Nullable QueueKey queueKey) {
		Duration holdAtMost = terms.holdAtMost();
		LockRequest request = terms.request();
		return new HoldTerms(request.name().orElse(null), request.automaticRenewal(), terms.deleteOnRelease(),
				request.releaseOnClose(), request.undo(), request.changeAtLimit(),
				Nanos.later(now.holderNanos(), Nanos.of(request.holdAtLeast())),
				(holdAtMost != null) ? Nanos.later(now.holderNanos(), Nanos.of(holdAtMost)) : HeldLease.UNLIMITED,
				acquisitionTime, queueKey);
	}

}

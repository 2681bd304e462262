/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.protocol.AcquisitionTerms;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import io.github.dynamodblock.protocol.Step;

/**
 * How a lease is kept and how it ends, as its request said.
 *
 * @param automaticRenewal whether heartbeats come without being asked for
 * @param deleteItem whether a release deletes the lock's item
 * @param holdUntil until when the lock is held even if given back, on the holder's clock
 */
record LeaseEnding(boolean automaticRenewal, boolean deleteItem, long holdUntil) {

	static LeaseEnding of(AcquisitionTerms terms, ClockReading now) {
		return new LeaseEnding(terms.request().automaticRenewal(), terms.deleteOnRelease(),
				Nanos.later(now.holderNanos(), Nanos.of(terms.request().holdAtLeast())));
	}

	/** How the lock is given back if its holder does not say. */
	HandleEnd byDefault() {
		return HandleEnd.released(this.deleteItem, ItemChange.none());
	}

	/** Tells the end of a release, or of what is done instead. */
	static void complete(CompletableFuture<ReleaseOutcome> outcome, Step.End end) {
		if (end instanceof Step.Failed failed) {
			outcome.completeExceptionally(failed.failure());
		}
		else {
			outcome.complete((end instanceof Step.Released released) ? released.outcome() : ReleaseOutcome.KEPT);
		}
	}

}

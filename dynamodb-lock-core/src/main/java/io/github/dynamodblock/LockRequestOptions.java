/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What was set on a request; not changed any more once its request is there.
 */
final class LockRequestOptions {

	@Nullable String name;

	@Nullable Duration waitTime;

	@Nullable Duration leaseDuration;

	@Nullable Duration heartbeatPeriod;

	boolean automaticRenewal = true;

	@Nullable Duration expiryWarning;

	@Nullable Duration pollInterval;

	Duration holdAtLeast = Duration.ZERO;

	@Nullable Duration holdAtMost;

	@Nullable String idempotentFor;

	boolean awaitSilentOwner;

	boolean onlyIfItemExists;

	@Nullable Boolean deleteOnRelease;

	ItemChange change = ItemChange.none().removeData();

	@Nullable LockListener listener;

	LockRequestOptions copy() {
		LockRequestOptions copy = new LockRequestOptions();
		copy.name = this.name;
		copy.waitTime = this.waitTime;
		copy.leaseDuration = this.leaseDuration;
		copy.heartbeatPeriod = this.heartbeatPeriod;
		copy.automaticRenewal = this.automaticRenewal;
		copy.expiryWarning = this.expiryWarning;
		copy.pollInterval = this.pollInterval;
		copy.holdAtLeast = this.holdAtLeast;
		copy.holdAtMost = this.holdAtMost;
		copy.idempotentFor = this.idempotentFor;
		copy.awaitSilentOwner = this.awaitSilentOwner;
		copy.onlyIfItemExists = this.onlyIfItemExists;
		copy.deleteOnRelease = this.deleteOnRelease;
		copy.change = this.change;
		copy.listener = this.listener;
		return copy;
	}

}

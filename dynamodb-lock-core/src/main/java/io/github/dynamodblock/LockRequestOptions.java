/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link LockRequest}. Never changed after its request was created.
 */
final class LockRequestOptions implements Cloneable {

	@Nullable String name;

	int permits = 1;

	@Nullable Duration waitTime;

	@Nullable Duration leaseDuration;

	@Nullable Duration heartbeatPeriod;

	boolean automaticRenewal = true;

	@Nullable Duration pollInterval;

	Duration holdAtLeast = Duration.ZERO;

	@Nullable Duration holdAtMost;

	boolean awaitSilentOwner;

	boolean onlyIfItemExists;

	@Nullable ItemCondition condition;

	@Nullable Boolean deleteOnRelease;

	@Nullable KeptItem keptItem;

	ItemChange change = ItemChange.none().removeData();

	boolean releaseOnClose = true;

	List<LockListener> listeners = List.of();

	/** Returns these options with a change. */
	LockRequestOptions with(Consumer<LockRequestOptions> change) {
		try {
			LockRequestOptions changed = (LockRequestOptions) clone();
			change.accept(changed);
			return changed;
		}
		catch (CloneNotSupportedException ex) {
			throw new AssertionError(ex);
		}
	}

}

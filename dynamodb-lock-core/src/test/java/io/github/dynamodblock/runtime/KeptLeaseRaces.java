/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.LockRequest;

/**
 * What may happen to a lock that is held, and that its client keeps for a while even when
 * it is released.
 */
public class KeptLeaseRaces extends LeaseRaces {

	public KeptLeaseRaces() {
		super(LockRequest.of(RacingClient.KEY).holdAtLeast(Duration.ofHours(1)));
	}

}

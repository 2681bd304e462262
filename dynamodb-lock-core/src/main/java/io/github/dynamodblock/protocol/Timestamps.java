/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a write says by the wall clock.
 *
 * @param renewedAt the time of the write, for people and as a hint, or {@code null} to
 * say nothing
 * @param expiresAt when DynamoDB may delete the item, or {@code null} for never
 * @param leaseEnds when the lease ends, for clients that trust clocks, or {@code null} to
 * say nothing
 */
public record Timestamps(@Nullable Instant renewedAt, @Nullable Instant expiresAt, @Nullable Instant leaseEnds) {

	/** Nothing. */
	public static final Timestamps NONE = new Timestamps(null, null, null);

}

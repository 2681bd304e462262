/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Timestamps;

/**
 * A heartbeat that was sent.
 *
 * @param recordVersionNumber its fresh record version number
 * @param sentAt the time before it was sent, on {@link ClockReading#holderNanos()}
 * @param terms the terms that it asked for
 * @param change what it changes in the item
 * @param timestamps what it says by the wall clock
 */
record Heartbeat(String recordVersionNumber, long sentAt, LeaseTerms terms, ItemChange change, Timestamps timestamps) {
}

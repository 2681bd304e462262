/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a lock is acquired. An {@code Acquisition} covers all slots of its request, from
 * the first call to the grant, refusal or failure. {@code Slots} decides which slot to
 * ask next, and {@code Turns} are the acquisition's places in the client's queues. Each
 * {@code Slot} has {@code Claims}, the writes that were sent for it, and
 * {@code Evidence}, what the answers showed. {@code Deadlines} decides until when to
 * wait. {@code Observations} is the client's memory of what its acquisitions have seen.
 */
@NullMarked
package io.github.dynamodblock.protocol.acquire;

import org.jspecify.annotations.NullMarked;

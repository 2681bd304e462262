/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a lock is acquired. {@code Acquisition} is one acquisition over the slots of its
 * request, from its first call to its grant, refusal or failure. {@code Slots} determines
 * which slot to ask next; {@code Turns} are the acquisition's places in the queues of its
 * client. A {@code Slot} has its {@code Claims}, the writes that were sent for it, and
 * its {@code Evidence}, what the answers showed. {@code Deadlines} determine until when
 * the acquisition waits. {@code Observations} remembers for all acquisitions of a client
 * what they have seen.
 */
@NullMarked
package io.github.dynamodblock.protocol.acquire;

import org.jspecify.annotations.NullMarked;

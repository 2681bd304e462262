/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a lock is acquired. {@code Acquisition} is one attempt, from its first call to its
 * grant, refusal or failure; {@code Claims} are the writes that it sent, {@code Evidence}
 * is what the answers showed, {@code Deadlines} determine until when it waits.
 * {@code Observations} remembers for all acquisitions of a client what they have seen.
 */
@NullMarked
package io.github.dynamodblock.protocol.acquire;

import org.jspecify.annotations.NullMarked;

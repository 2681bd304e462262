/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Instant;

/**
 * The kill of a node.
 *
 * @param node which node
 * @param time just before the signal was sent
 */
record Kill(String node, Instant time) {

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.time.Instant;

/**
 * What comes from the nodes.
 */
sealed interface News {

	/**
	 * A node wrote an event down.
	 */
	record Written(String line) implements News {
	}

	/**
	 * A node has gone, and all that it wrote has come before this.
	 */
	record Gone(String node, Instant time, int status) implements News {
	}

}

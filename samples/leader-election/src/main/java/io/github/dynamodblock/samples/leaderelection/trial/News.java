/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.time.Instant;

/**
 * What comes of the nodes.
 */
sealed interface News {

	/**
	 * A node wrote a line into the ledger.
	 *
	 * @param entry the line
	 */
	record Written(Entry entry) implements News {
	}

	/**
	 * A node has ended.
	 *
	 * @param node the node
	 * @param time when that was seen
	 * @param status its exit status
	 */
	record Gone(String node, Instant time, int status) implements News {
	}

}

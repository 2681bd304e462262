/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.io.Serializable;

/**
 * A worker process.
 *
 * @param node the node that it is a process of
 * @param incarnation how many processes the node had before, and this one
 */
public record Owner(int node, int incarnation) implements Serializable {

	@Override
	public String toString() {
		return this.node + "." + this.incarnation;
	}

}

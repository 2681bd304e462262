/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.lock;

/**
 * Other calls of the same holder came between again and again.
 */
public class OvertakenException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	OvertakenException(LockName name, int attempts) {
		super("Lock '" + name.namespace() + "/" + name.lockName() + "' was changed between reading and writing it "
				+ attempts + " times in a row, by other calls of its holder; try again");
	}

}

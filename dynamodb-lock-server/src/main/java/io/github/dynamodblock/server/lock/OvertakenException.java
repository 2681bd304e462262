/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * A call came between reading a lock and writing on it, or was under way for it in this
 * instance, so that this one has no answer yet.
 */
public class OvertakenException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	OvertakenException(LockName name) {
		super("The state of lock '" + name.namespace() + "/" + name.lockName()
				+ "' is uncertain, because other calls for it came in between; try again");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

/**
 * Thrown if another call changed the lock between this call's read and its write, or is
 * in progress for the lock in this instance. This call then has no result yet.
 */
public class OvertakenException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	OvertakenException(LockName name) {
		super("The state of lock '" + name.namespace() + "/" + name.lockName()
				+ "' is uncertain, because other calls for it came in between; try again");
	}

}

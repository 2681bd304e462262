/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

/**
 * What the service answered.
 */
sealed interface Answer {

	/**
	 * The client has the lock: it was acquired or renewed.
	 *
	 * @param seconds the lease, as the sum of the durations asked for
	 * @param expiry the last second in which the lock is held
	 * @param fencingToken the fencing token
	 */
	record Granted(long seconds, long expiry, long fencingToken) implements Answer {
	}

	/**
	 * 423: somebody else has the lock or, for a renewal, the client does not.
	 */
	record Refused() implements Answer {
	}

	/**
	 * The client does not have the lock any more.
	 */
	record Released() implements Answer {
	}

	/**
	 * Nobody has the lock: who looked was shown no owner.
	 */
	record Free() implements Answer {
	}

	/**
	 * Somebody has the lock.
	 *
	 * @param expiry the last second in which it is held
	 */
	record Taken(long expiry) implements Answer {
	}

	/**
	 * None that is proper, after all patience: nobody knows what came of the request.
	 */
	record Missing() implements Answer {
	}

}

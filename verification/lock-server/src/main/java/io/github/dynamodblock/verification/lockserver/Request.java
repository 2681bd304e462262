/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.Locale;

/**
 * What a client wants.
 *
 * @param action what is to be done
 * @param lock the lock's name
 * @param client the client's instance id
 * @param seconds the duration of an acquisition or a renewal
 * @param idempotencyKey what marks a renewal
 */
record Request(Action action, String lock, String client, long seconds, String idempotencyKey) {

	static Request acquire(String lock, String client, long seconds) {
		return new Request(Action.ACQUIRE, lock, client, seconds, "");
	}

	static Request renew(String lock, String client, long seconds, String idempotencyKey) {
		return new Request(Action.RENEW, lock, client, seconds, idempotencyKey);
	}

	static Request release(String lock, String client) {
		return new Request(Action.RELEASE, lock, client, 0, "");
	}

	static Request look(String lock, String client) {
		return new Request(Action.LOOK, lock, client, 0, "");
	}

	/**
	 * What can be done with a lock.
	 */
	enum Action {

		ACQUIRE, RENEW, RELEASE, LOOK;

		/** What comes after the lock's name in the path. */
		String path() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}

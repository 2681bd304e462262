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
 * @param idempotencyKey what marks an acquisition or a renewal; empty for none
 * @param fencingToken the hold that a renewal or a release is for; 0 for any
 * @param late whether this is a copy of a request that was sent, and answered, before
 */
record Request(Action action, String lock, String client, long seconds, String idempotencyKey, long fencingToken,
		boolean late) {

	static Request acquire(String lock, String client, long seconds) {
		return new Request(Action.ACQUIRE, lock, client, seconds, "", 0, false);
	}

	static Request renew(String lock, String client, long seconds, String idempotencyKey) {
		return new Request(Action.RENEW, lock, client, seconds, idempotencyKey, 0, false);
	}

	static Request release(String lock, String client) {
		return new Request(Action.RELEASE, lock, client, 0, "", 0, false);
	}

	static Request look(String lock, String client) {
		return new Request(Action.LOOK, lock, client, 0, "", 0, false);
	}

	/** The request with an idempotency key. */
	Request marked(String key) {
		return new Request(this.action, this.lock, this.client, this.seconds, key, this.fencingToken, this.late);
	}

	/** The request for one hold only. */
	Request limitedTo(long token) {
		return new Request(this.action, this.lock, this.client, this.seconds, this.idempotencyKey, token, this.late);
	}

	/** A copy that is sent late. */
	Request copy() {
		return new Request(this.action, this.lock, this.client, this.seconds, this.idempotencyKey, this.fencingToken,
				true);
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

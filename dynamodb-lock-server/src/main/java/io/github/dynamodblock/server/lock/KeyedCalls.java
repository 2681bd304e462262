/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.util.ArrayList;
import java.util.List;

/**
 * The latest calls that extended a hold, with their idempotency keys. A call that arrives
 * again does not extend the hold again.
 *
 * @param latest the calls, from the oldest to the newest
 */
record KeyedCalls(List<KeyedCall> latest) {

	static final KeyedCalls NONE = new KeyedCalls(List.of());

	/** So few that the item stays below 1 KB, which costs one write unit. */
	private static final int MOST = 8;

	KeyedCalls {
		latest = List.copyOf(latest);
	}

	/**
	 * Returns whether a call was already made.
	 * @param call the call
	 * @return whether a call with the same key was made
	 * @throws IdempotencyKeyReusedException if that call was a different one
	 */
	boolean contain(KeyedCall call) {
		for (KeyedCall known : this.latest) {
			if (Fingerprints.areEqual(known.keyFingerprint(), call.keyFingerprint())) {
				if (!known.call().equals(call.call())) {
					throw new IdempotencyKeyReusedException(known.call(), call.call());
				}
				return true;
			}
		}
		return false;
	}

	KeyedCalls and(KeyedCall newest) {
		List<KeyedCall> all = new ArrayList<>(this.latest);
		all.add(newest);
		return new KeyedCalls(all.subList(Math.max(0, all.size() - MOST), all.size()));
	}

	/**
	 * One call.
	 *
	 * @param keyFingerprint the fingerprint of its idempotency key
	 * @param call what it requested, such as {@code renew 30}
	 */
	record KeyedCall(String keyFingerprint, String call) {

		private static final char SEPARATOR = ':';

		/**
		 * Reads a stored call.
		 * @param text the call as it is stored
		 * @return the call
		 */
		static KeyedCall parse(String text) {
			int separator = text.indexOf(SEPARATOR);
			return new KeyedCall(text.substring(0, Math.max(0, separator)), text.substring(separator + 1));
		}

		/**
		 * Returns the call as it is stored.
		 */
		@Override
		public String toString() {
			return this.keyFingerprint + SEPARATOR + this.call;
		}

	}

}

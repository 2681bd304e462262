/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.util.ArrayList;
import java.util.List;

/**
 * The latest calls that lengthened a hold, by their idempotency keys, so that a call that
 * arrives again does not lengthen it again.
 *
 * @param latest the newest last
 */
record KeyedCalls(List<KeyedCall> latest) {

	static final KeyedCalls NONE = new KeyedCalls(List.of());

	/** Few enough that the item stays below 1 KB, which is one write unit. */
	private static final int MOST = 8;

	KeyedCalls {
		latest = List.copyOf(latest);
	}

	/**
	 * Whether a call was made already.
	 * @param call the call
	 * @return whether a call with its key was
	 * @throws IdempotencyKeyReusedException if that was another call
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
	 * One of them.
	 *
	 * @param keyFingerprint the fingerprint of its idempotency key
	 * @param call what it asked for, such as {@code renew 30}
	 */
	record KeyedCall(String keyFingerprint, String call) {

		private static final char SEPARATOR = ':';

		/**
		 * Reads a call.
		 * @param text the call as it is stored
		 * @return the call
		 */
		static KeyedCall parse(String text) {
			int separator = text.indexOf(SEPARATOR);
			return new KeyedCall(text.substring(0, Math.max(0, separator)), text.substring(separator + 1));
		}

		/**
		 * The call as it is stored.
		 */
		@Override
		public String toString() {
			return this.keyFingerprint + SEPARATOR + this.call;
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The latest renewals of a hold that have an idempotency key, so that a request that
 * comes again does not add its duration again.
 *
 * @param latest the newest last
 */
record Renewals(List<Renewal> latest) {

	static final Renewals NONE = new Renewals(List.of());

	/** Few enough that the item stays below 1 KB, which is one write unit. */
	private static final int MOST = 8;

	Renewals {
		latest = List.copyOf(latest);
	}

	/**
	 * Whether a renewal was made already.
	 * @param keyFingerprint the fingerprint of its idempotency key
	 * @return the duration that it added, or empty if it was not
	 */
	OptionalLong secondsOf(String keyFingerprint) {
		return this.latest.stream()
			.filter((renewal) -> renewal.keyFingerprint().equals(keyFingerprint))
			.mapToLong(Renewal::seconds)
			.findFirst();
	}

	Renewals and(Renewal newest) {
		List<Renewal> all = new ArrayList<>(this.latest);
		all.add(newest);
		return new Renewals(all.subList(Math.max(0, all.size() - MOST), all.size()));
	}

	/**
	 * One of them.
	 *
	 * @param keyFingerprint the fingerprint of its idempotency key
	 * @param seconds the duration that it asked for
	 */
	record Renewal(String keyFingerprint, long seconds) {

		private static final char SEPARATOR = ':';

		static Renewal parse(String text) {
			int separator = text.indexOf(SEPARATOR);
			return new Renewal(text.substring(0, separator), Long.parseLong(text.substring(separator + 1)));
		}

		/**
		 * The renewal as it is stored.
		 */
		@Override
		public String toString() {
			return this.keyFingerprint + SEPARATOR + this.seconds;
		}

	}

}

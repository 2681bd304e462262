/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

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

		private static final Pattern STORED = Pattern.compile("([^:]+):(\\d{1,18})");

		/**
		 * Reads a renewal.
		 * @param text the renewal as it is stored, or {@code null}
		 * @return the renewal, or empty if something else is stored
		 */
		static Optional<Renewal> parse(@Nullable String text) {
			Matcher stored = STORED.matcher((text != null) ? text : "");
			return stored.matches() ? Optional.of(new Renewal(stored.group(1), Long.parseLong(stored.group(2))))
					: Optional.empty();
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import org.jspecify.annotations.Nullable;

/**
 * Something that must not happen, and did.
 *
 * @param rule what must not happen
 * @param anomaly why it is outside the guarantees, or {@code null} if nothing allows it:
 * then it is a violation
 * @param lock of which lock, or {@code null} if of none
 * @param text who and when, for people to read
 * @param looked whether it is a write, and its writer had looked right before whether it
 * held the lock
 */
public record Finding(Rule rule, @Nullable AllowedAnomaly anomaly, @Nullable Integer lock, String text,
		boolean looked) {

	/** Something that is no write after a look. */
	public Finding(Rule rule, @Nullable AllowedAnomaly anomaly, @Nullable Integer lock, String text) {
		this(rule, anomaly, lock, text, false);
	}

	public boolean isViolation() {
		return this.anomaly == null;
	}

	@Override
	public String toString() {
		return this.rule.title() + ": " + this.text
				+ ((this.anomaly != null) ? " (allowed: " + this.anomaly.title() + ")" : "");
	}

}

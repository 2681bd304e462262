/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;

/**
 * A request's body is not what it must be.
 */
class InvalidBodyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final List<String> violations;

	InvalidBodyException(String violation) {
		this(List.of(violation));
	}

	/**
	 * An invalid body.
	 * @param violations what is wrong, each with its place
	 */
	InvalidBodyException(List<String> violations) {
		super(String.join(", ", violations));
		this.violations = List.copyOf(violations);
	}

	List<String> violations() {
		return this.violations;
	}

}

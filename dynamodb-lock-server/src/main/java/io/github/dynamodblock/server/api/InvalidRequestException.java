/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;

/**
 * A request does not meet the rules of the API.
 */
class InvalidRequestException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final List<String> violations;

	/**
	 * Creates an exception.
	 * @param message which part of the request is invalid
	 * @param violations all that is wrong with it
	 */
	InvalidRequestException(String message, List<String> violations) {
		super(message);
		this.violations = List.copyOf(violations);
	}

	List<String> violations() {
		return this.violations;
	}

}

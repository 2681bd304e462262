/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;

/**
 * A request's path or one of its headers is not what it must be.
 */
class InvalidParametersException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final List<String> violations;

	/**
	 * Invalid parameters.
	 * @param violations what is wrong, each with the parameter's name
	 */
	InvalidParametersException(List<String> violations) {
		super(String.join(", ", violations));
		this.violations = List.copyOf(violations);
	}

	List<String> violations() {
		return this.violations;
	}

}

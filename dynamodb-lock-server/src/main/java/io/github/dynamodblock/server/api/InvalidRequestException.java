/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;
import java.util.stream.Stream;

/**
 * Thrown if a request does not follow the rules of the API.
 */
class InvalidRequestException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private static final int MOST = 20;

	private static final String LONGER = "(?s)(.{200}).+";

	private final List<String> violations;

	/**
	 * Creates an exception.
	 * @param message which part of the request is invalid
	 * @param violations the rules that it breaks. They may quote long text of the caller,
	 * and are truncated
	 */
	InvalidRequestException(String message, List<String> violations) {
		super(message);
		Stream<String> first = violations.stream().limit(MOST).map((one) -> one.replaceFirst(LONGER, "$1..."));
		int more = violations.size() - MOST;
		this.violations = Stream.concat(first, Stream.of("... and " + more + " more").filter((rest) -> more > 0))
			.toList();
	}

	List<String> violations() {
		return this.violations;
	}

}

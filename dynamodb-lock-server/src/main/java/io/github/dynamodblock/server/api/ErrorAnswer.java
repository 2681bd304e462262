/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.UUID;

/**
 * The body of an answer that is an error.
 *
 * @param message what was wrong
 * @param errorId what finds the error in the service's log
 */
record ErrorAnswer(String message, String errorId) {

	static ErrorAnswer of(Exception ex) {
		return of(String.valueOf(ex.getMessage()));
	}

	static ErrorAnswer of(String message) {
		return new ErrorAnswer(message, UUID.randomUUID().toString());
	}

}

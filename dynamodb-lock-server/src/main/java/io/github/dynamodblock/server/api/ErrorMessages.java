/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * The messages for HTTP statuses. They are part of the API.
 */
final class ErrorMessages {

	private ErrorMessages() {
	}

	static String of(HttpStatusCode status) {
		@Nullable HttpStatus known = HttpStatus.resolve(status.value());
		if (known == null) {
			return "Status " + status.value();
		}
		return switch (known) {
			case BAD_REQUEST -> "Bad request";
			case NOT_FOUND -> "Resource not found";
			case METHOD_NOT_ALLOWED -> "Method not allowed";
			case NOT_ACCEPTABLE -> "Not acceptable";
			case SERVICE_UNAVAILABLE -> "Service unavailable";
			case INTERNAL_SERVER_ERROR -> "Internal server error";
			default -> known.getReasonPhrase();
		};
	}

}

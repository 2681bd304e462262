/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.util.Locale;

import org.springframework.http.HttpStatus;

/**
 * The outcome of a call.
 */
public enum Outcome {

	/** The lock was acquired. */
	GRANTED,

	/** The lease was prolonged. */
	RENEWED,

	/** The lock is not held any more, or was not. */
	RELEASED,

	/** The lock is held: an answer to a look at it. */
	HELD,

	/** The lock is free: an answer to a look at it. */
	FREE,

	/** Locks were listed. */
	LISTED,

	/** Another client has the lock, or the caller has it no longer. */
	REFUSED,

	/** The request cannot be understood or breaks a rule. */
	INVALID,

	/** The token is missing or bad. */
	UNAUTHENTICATED,

	/** No client may call. */
	FORBIDDEN,

	/** There is nothing at the path, or not with the method. */
	NOT_FOUND,

	/** DynamoDB or the issuer of tokens did not answer as it should. */
	UNAVAILABLE,

	/** A fault of the service. */
	FAILED,

	/** The caller went away before the answer's end. */
	ABANDONED;

	/**
	 * What a status says.
	 * @param operation what was called
	 * @param status the status of the answer
	 * @return the outcome
	 */
	static Outcome of(Operation operation, int status) {
		if (status < HttpStatus.BAD_REQUEST.value()) {
			return operation.success();
		}
		return switch (status) {
			case 401 -> UNAUTHENTICATED;
			case 403 -> FORBIDDEN;
			case 404, 405 -> NOT_FOUND;
			case 423 -> REFUSED;
			case 503 -> UNAVAILABLE;
			default -> (status < HttpStatus.INTERNAL_SERVER_ERROR.value()) ? INVALID : FAILED;
		};
	}

	/**
	 * The outcome as logs and meters have it.
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}

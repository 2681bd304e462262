/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers requests that did not get their lock, or lost it before they wrote. Unless the
 * lock table could not be reached, they changed nothing, and the client may try again.
 * Only the log names the owner of the lock.
 */
@RestControllerAdvice
class LockProblems {

	private static final String RETRY_SECONDS = "1";

	private static final Logger logger = LoggerFactory.getLogger(LockProblems.class);

	@ExceptionHandler
	ResponseEntity<ProblemDetail> busy(LockNotGrantedException ex) {
		logger.info("{}", ex.getMessage());
		return tryAgain(HttpStatus.LOCKED, "Others are changing the same order.");
	}

	/** A write with the lock's guard came too late. */
	@ExceptionHandler
	ResponseEntity<ProblemDetail> lost(LockLostException ex) {
		logger.warn("A write was refused: {}", ex.getMessage());
		return tryAgain(HttpStatus.CONFLICT, "The order was changed meanwhile.");
	}

	/** A write with the lock's guard may have been made; without one, it was not. */
	@ExceptionHandler
	ResponseEntity<ProblemDetail> unavailable(LockStoreException ex) {
		logger.warn("A request failed, because the lock table could not be reached", ex);
		return ResponseEntity.of(ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"Orders cannot be changed at the moment. Read the order before you try again."))
			.build();
	}

	private static ResponseEntity<ProblemDetail> tryAgain(HttpStatus status, String detail) {
		return ResponseEntity.status(status)
			.header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
			.body(ProblemDetail.forStatusAndDetail(status, detail + " Try again."));
	}

}

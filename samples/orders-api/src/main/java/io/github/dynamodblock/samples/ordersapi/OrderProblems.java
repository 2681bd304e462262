/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Responses to requests that changed nothing. Only the log names the lock's owner.
 */
@RestControllerAdvice
class OrderProblems {

	private static final Logger logger = LoggerFactory.getLogger(OrderProblems.class);

	@ExceptionHandler
	ProblemDetail notFound(OrderNotFoundException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, ex.getMessage());
	}

	/** The wait time is over. */
	@ExceptionHandler
	ResponseEntity<ProblemDetail> busy(LockNotGrantedException ex) {
		logger.info("{}", ex.getMessage());
		return retryLater(HttpStatus.LOCKED, "Another request is changing the order. Try again.");
	}

	/** The guard refused a late write. */
	@ExceptionHandler
	ResponseEntity<ProblemDetail> lost(LockLostException ex) {
		logger.warn("{}", ex.getMessage());
		return retryLater(HttpStatus.CONFLICT, "Another request has changed the order. Try again.");
	}

	/** The lock was not acquired: DynamoDB was not available, or this node shuts down. */
	@ExceptionHandler({ LockStoreException.class, LockClientClosedException.class, LockWaitInterruptedException.class })
	ResponseEntity<ProblemDetail> unavailable(RuntimeException ex) {
		logger.warn("An order could not be locked", ex);
		return retryLater(HttpStatus.SERVICE_UNAVAILABLE, "Orders cannot be changed at the moment. Try again.");
	}

	private static ResponseEntity<ProblemDetail> retryLater(HttpStatus status, String detail) {
		return ResponseEntity.status(status)
			.header(HttpHeaders.RETRY_AFTER, "1")
			.body(ProblemDetail.forStatusAndDetail(status, detail));
	}

}

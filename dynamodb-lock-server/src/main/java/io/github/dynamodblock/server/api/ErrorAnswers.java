/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.concurrent.RejectedExecutionException;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.server.lock.IdempotencyKeyReusedException;
import io.github.dynamodblock.server.lock.OvertakenException;
import io.github.dynamodblock.server.lock.UnwantedCallException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * The answers that clients get instead of a lock. A fault of DynamoDB is never reported
 * as a lock that is free or held by another client: nothing is known of it then.
 */
@RestControllerAdvice
class ErrorAnswers {

	private static final String RETRY_AFTER_SECONDS = "1";

	private static final Logger logger = LoggerFactory.getLogger(ErrorAnswers.class);

	@ExceptionHandler
	ResponseEntity<Object> invalid(InvalidRequestException ex, HttpServletRequest request) {
		return new ErrorAnswer(String.valueOf(ex.getMessage()), ex.violations(), null).respond(HttpStatus.BAD_REQUEST,
				HttpHeaders.EMPTY, request);
	}

	@ExceptionHandler
	ResponseEntity<Object> reused(IdempotencyKeyReusedException ex, HttpServletRequest request) {
		return ErrorAnswer.of(ex.getMessage(), request)
			.respond(HttpStatus.UNPROCESSABLE_CONTENT, HttpHeaders.EMPTY, request);
	}

	/** The line of the call says the rest; overload must not fill the log. */
	@ExceptionHandler({ AsyncRequestTimeoutException.class, RejectedExecutionException.class,
			UnwantedCallException.class })
	ResponseEntity<Object> overdue(HttpServletRequest request) {
		return unavailable(ErrorAnswer.of("Service unavailable", request), request);
	}

	/** The interrupt is not passed on: the answer would break off. */
	@ExceptionHandler({ LockStoreException.class, LockTableException.class, LockClientClosedException.class,
			OvertakenException.class, InterruptedException.class })
	ResponseEntity<Object> unavailable(Exception ex, HttpServletRequest request) {
		ErrorAnswer answer = ErrorAnswer.of("Service unavailable", request);
		logger.atWarn()
			.addKeyValue("error.id", answer.errorId())
			.log("A request failed because the state of its lock is unknown: {}", ex.toString());
		return unavailable(answer, request);
	}

	private static ResponseEntity<Object> unavailable(ErrorAnswer answer, HttpServletRequest request) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
		return answer.respond(HttpStatus.SERVICE_UNAVAILABLE, headers, request);
	}

	/**
	 * Everything else.
	 * @param ex the failure of the request
	 * @param request the request
	 * @return the answer, or {@code null} if the client has gone away
	 */
	@ExceptionHandler
	@Nullable ResponseEntity<Object> other(Exception ex, HttpServletRequest request) {
		if (DisconnectedClientHelper.isClientDisconnectedException(ex)) {
			return null;
		}
		ErrorResponse error = (ex instanceof ErrorResponse known) ? known : null;
		HttpStatusCode status = (error != null) ? error.getStatusCode() : HttpStatus.INTERNAL_SERVER_ERROR;
		String reason = (ex instanceof ErrorResponseException own) ? own.getBody().getDetail() : null;
		ErrorAnswer answer = ErrorAnswer.of((reason != null) ? reason : ErrorMessages.of(status), request);
		if (status.isSameCodeAs(HttpStatus.INTERNAL_SERVER_ERROR)) {
			// No "error.id" here: the log's JSON has the cause as "error".
			logger.error("A request failed because of an internal error ({})", answer.errorId(), ex);
		}
		return answer.respond(status, (error != null) ? error.getHeaders() : HttpHeaders.EMPTY, request);
	}

}

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
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Turns exceptions into error responses. If DynamoDB fails, the state of the lock is
 * unknown, so the lock is never reported as free or as held by another client.
 */
@RestControllerAdvice
class ErrorAnswers {

	private static final String RETRY_AFTER_SECONDS = "1";

	private static final Logger logger = LoggerFactory.getLogger(ErrorAnswers.class);

	@ExceptionHandler
	ResponseEntity<ErrorAnswer> invalid(InvalidRequestException ex) {
		return answer(HttpStatus.BAD_REQUEST, HttpHeaders.EMPTY,
				new ErrorAnswer(String.valueOf(ex.getMessage()), ex.violations(), null));
	}

	@ExceptionHandler
	ResponseEntity<ErrorAnswer> reused(IdempotencyKeyReusedException ex, HttpServletRequest request) {
		return answer(HttpStatus.UNPROCESSABLE_CONTENT, HttpHeaders.EMPTY, ErrorAnswer.of(ex.getMessage(), request));
	}

	/**
	 * Logs nothing besides the line of the call, because overload must not fill the log.
	 */
	@ExceptionHandler({ AsyncRequestTimeoutException.class, RejectedExecutionException.class,
			UnwantedCallException.class })
	ResponseEntity<ErrorAnswer> overdue(HttpServletRequest request) {
		return unavailable(ErrorAnswer.of("Service unavailable", request));
	}

	/** Does not restore an interrupt, because it would cut off the response. */
	@ExceptionHandler({ LockStoreException.class, LockTableException.class, LockClientClosedException.class,
			OvertakenException.class, InterruptedException.class })
	ResponseEntity<ErrorAnswer> unavailable(Exception ex, HttpServletRequest request) {
		ErrorAnswer answer = ErrorAnswer.of("Service unavailable", request);
		logger.atWarn()
			.addKeyValue("error.id", answer.errorId())
			.log("A request failed because the state of its lock is unknown: {}", ex.toString());
		return unavailable(answer);
	}

	private static ResponseEntity<ErrorAnswer> unavailable(ErrorAnswer answer) {
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
		return answer(HttpStatus.SERVICE_UNAVAILABLE, headers, answer);
	}

	/**
	 * Handles all other exceptions.
	 * @param ex the failure of the request
	 * @param request the request
	 * @return the answer, or {@code null} if the client has gone away
	 */
	@ExceptionHandler
	@Nullable ResponseEntity<ErrorAnswer> other(Exception ex, HttpServletRequest request) {
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
		return answer(status, (error != null) ? error.getHeaders() : HttpHeaders.EMPTY, answer);
	}

	private static ResponseEntity<ErrorAnswer> answer(HttpStatusCode status, HttpHeaders headers, ErrorAnswer answer) {
		return ResponseEntity.status(status).headers(headers).contentType(MediaType.APPLICATION_JSON).body(answer);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;

import io.github.dynamodblock.LockClientClosedException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.server.lock.IdempotencyKeyReusedException;
import io.github.dynamodblock.server.lock.OvertakenException;
import io.github.dynamodblock.server.operation.RequestFacts;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
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
	ResponseEntity<InvalidAnswer> invalid(InvalidBodyException ex) {
		return invalid("JSON validation failed", ex.violations());
	}

	@ExceptionHandler
	ResponseEntity<InvalidAnswer> invalid(InvalidParametersException ex) {
		return invalid("Validation failed", ex.violations());
	}

	@ExceptionHandler
	ResponseEntity<ErrorAnswer> tooLarge(BodyTooLargeException ex, HttpServletRequest request) {
		return answer(HttpStatus.CONTENT_TOO_LARGE, HttpHeaders.EMPTY, ErrorAnswer.of(ex), request);
	}

	@ExceptionHandler
	ResponseEntity<ErrorAnswer> tooSlow(BodyTimeoutException ex, HttpServletRequest request) {
		// What is left of the body is not waited for.
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.CONNECTION, "close");
		return answer(HttpStatus.REQUEST_TIMEOUT, headers, ErrorAnswer.of(ex), request);
	}

	@ExceptionHandler
	ResponseEntity<ErrorAnswer> reused(IdempotencyKeyReusedException ex, HttpServletRequest request) {
		return answer(HttpStatus.UNPROCESSABLE_CONTENT, HttpHeaders.EMPTY, ErrorAnswer.of(ex), request);
	}

	/** The interrupt is not passed on: the answer would break off. */
	@ExceptionHandler({ LockStoreException.class, LockTableException.class, LockClientClosedException.class,
			OvertakenException.class, InterruptedException.class })
	ResponseEntity<ErrorAnswer> unavailable(Exception ex, HttpServletRequest request) {
		ErrorAnswer answer = ErrorAnswer.of("Service unavailable");
		logger.atWarn()
			.addKeyValue("error.id", answer.errorId())
			.log("A request was not served, since nothing is known of its lock: {}", ex.toString());
		HttpHeaders headers = new HttpHeaders();
		headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
		return answer(HttpStatus.SERVICE_UNAVAILABLE, headers, answer, request);
	}

	/**
	 * Everything else.
	 * @param ex the failure of the request
	 * @param request the request
	 * @return the answer, or {@code null} if the client has gone away
	 */
	@ExceptionHandler
	@Nullable ResponseEntity<ErrorAnswer> other(Exception ex, HttpServletRequest request) {
		if (DisconnectedClientHelper.isClientDisconnectedException(ex)) {
			return null;
		}
		HttpStatusCode status = status(ex);
		ErrorAnswer answer = ErrorAnswer.of(ErrorMessages.of(status));
		if (status.isSameCodeAs(HttpStatus.INTERNAL_SERVER_ERROR)) {
			// No "error.id" here: the log's JSON has the cause as "error".
			logger.error("A request failed by a fault of the service ({})", answer.errorId(), ex);
		}
		return answer(status, (ex instanceof ErrorResponse error) ? error.getHeaders() : HttpHeaders.EMPTY, answer,
				request);
	}

	private static HttpStatusCode status(Exception ex) {
		if (ex instanceof ErrorResponse error) {
			return error.getStatusCode();
		}
		ResponseStatus declared = AnnotatedElementUtils.findMergedAnnotation(ex.getClass(), ResponseStatus.class);
		return (declared == null) ? HttpStatus.INTERNAL_SERVER_ERROR : declared.code();
	}

	private static ResponseEntity<InvalidAnswer> invalid(String message, List<String> details) {
		return ResponseEntity.badRequest()
			.contentType(MediaType.APPLICATION_JSON)
			.body(new InvalidAnswer(message, details));
	}

	/**
	 * Always JSON, even for a client that accepts something else: an error is better read
	 * so than not at all.
	 */
	private static ResponseEntity<ErrorAnswer> answer(HttpStatusCode status, HttpHeaders headers, ErrorAnswer answer,
			HttpServletRequest request) {
		RequestFacts.of(request).errorId(answer.errorId());
		return ResponseEntity.status(status).headers(headers).contentType(MediaType.APPLICATION_JSON).body(answer);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.net.URI;
import java.util.Collections;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.dynamodblock.server.operation.RequestLog;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * The body of an answer that is an error.
 *
 * @param message what was wrong
 * @param details the rules that the request breaks, if it is invalid
 * @param errorId what finds any other error in the service's log
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ErrorAnswer(String message, @Nullable List<String> details, @Nullable String errorId) {

	static ErrorAnswer of(@Nullable String message, ServletRequest request) {
		return new ErrorAnswer(String.valueOf(message), null, RequestLog.errorId(request));
	}

	/**
	 * Creates the response: a problem (RFC 9457) for a caller that accepts problems.
	 * @param status its status
	 * @param headers its headers, besides the content type
	 * @param request the call
	 * @return the response
	 */
	ResponseEntity<Object> respond(HttpStatusCode status, HttpHeaders headers, HttpServletRequest request) {
		boolean asProblem = Collections.list(request.getHeaders(HttpHeaders.ACCEPT))
			.stream()
			.anyMatch((accepted) -> accepted.contains(MediaType.APPLICATION_PROBLEM_JSON_VALUE));
		return ResponseEntity.status(status)
			.headers(headers)
			.contentType(asProblem ? MediaType.APPLICATION_PROBLEM_JSON : MediaType.APPLICATION_JSON)
			.body(asProblem ? problem(status) : this);
	}

	private ProblemDetail problem(HttpStatusCode status) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, this.message);
		if (this.details != null) {
			problem.setProperty("details", this.details);
		}
		if (this.errorId != null) {
			problem.setInstance(URI.create("urn:uuid:" + this.errorId));
			problem.setProperty("errorId", this.errorId);
		}
		return problem;
	}

}

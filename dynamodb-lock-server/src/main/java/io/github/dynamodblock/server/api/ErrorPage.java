/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Answers requests that the servlet container or a filter refused, in the same format as
 * all other errors.
 */
@RestController
class ErrorPage implements ErrorController {

	@RequestMapping("/error")
	ResponseEntity<ErrorAnswer> error(HttpServletRequest request) {
		HttpStatusCode status = (request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code)
				? HttpStatusCode.valueOf(code) : HttpStatus.NOT_FOUND;
		return ResponseEntity.status(status)
			.contentType(MediaType.APPLICATION_JSON)
			.body(ErrorAnswer.of(message(status, request), request));
	}

	/** Only the service itself refuses with 403, so it has written that message. */
	private static String message(HttpStatusCode status, HttpServletRequest request) {
		return (status.isSameCodeAs(HttpStatus.FORBIDDEN)
				&& request.getAttribute(RequestDispatcher.ERROR_MESSAGE) instanceof String said
				&& StringUtils.hasText(said)) ? said : ErrorMessages.of(status);
	}

}

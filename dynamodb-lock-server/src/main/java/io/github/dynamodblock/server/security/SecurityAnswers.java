/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.io.IOException;

import io.github.dynamodblock.server.operation.RequestLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenError;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.util.StringUtils;

/**
 * Refuses requests that do not get as far as a controller; the error page writes the
 * bodies. Thread-safe.
 */
final class SecurityAnswers {

	private static final Logger LOG = LoggerFactory.getLogger(SecurityAnswers.class);

	private static final String RETRY_AFTER_SECONDS = "1";

	/**
	 * Answers that a token is missing or bad, and why, or that it cannot be checked.
	 */
	void unauthenticated(HttpServletRequest request, HttpServletResponse response, AuthenticationException reason)
			throws IOException {
		if (reason instanceof AuthenticationServiceException) {
			LOG.atWarn()
				.addKeyValue("error.id", RequestLog.errorId(request))
				.log("A token could not be verified, because its issuer's keys are not available: {}. Check "
						+ "jwt.issuer, jwt.jwks and the issuer itself", Tokens.reason(reason));
			response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
			refuse(request, response, HttpStatus.SERVICE_UNAVAILABLE, "");
			return;
		}
		BearerTokenError error = (reason instanceof OAuth2AuthenticationException ex
				&& ex.getError() instanceof BearerTokenError known) ? known : null;
		response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge(error));
		refuse(request, response, (error != null) ? error.getHttpStatus() : HttpStatus.UNAUTHORIZED, "");
	}

	/**
	 * As RFC 6750 has it. Spring Security's own would point to a document about this
	 * service, which there is none of.
	 */
	private static String challenge(@Nullable BearerTokenError error) {
		if (error == null) {
			return "Bearer";
		}
		String challenge = "Bearer error=\"" + error.getErrorCode() + "\"";
		return StringUtils.hasText(error.getDescription())
				? challenge + ", error_description=\"" + error.getDescription() + "\"" : challenge;
	}

	void forbidden(HttpServletRequest request, HttpServletResponse response) throws IOException {
		refuse(request, response, HttpStatus.FORBIDDEN, "");
	}

	/**
	 * Answers that the service is not called under a name that it knows.
	 */
	void hostNotAllowed(HttpServletRequest request, HttpServletResponse response) throws IOException {
		refuse(request, response, HttpStatus.FORBIDDEN,
				"Forbidden: the host name of the request is not in authentication.allowed-hosts");
	}

	/**
	 * Answers that the request's line or headers are not as they should be.
	 */
	void rejected(HttpServletRequest request, HttpServletResponse response, RequestRejectedException reason)
			throws IOException {
		// No "error.id" here: the log's JSON has the cause as "error".
		LOG.debug("A request was rejected ({})", RequestLog.errorId(request), reason);
		refuse(request, response, HttpStatus.BAD_REQUEST, "");
	}

	private static void refuse(HttpServletRequest request, HttpServletResponse response, HttpStatus status,
			String message) throws IOException {
		// Before the error page: the request's line is logged in between.
		RequestLog.errorId(request);
		response.sendError(status.value(), message);
	}

}

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

import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenError;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.util.StringUtils;

/**
 * Refuses requests before they reach a controller. The error page writes the bodies.
 * Thread-safe.
 */
final class SecurityAnswers {

	private static final Logger LOG = LoggerFactory.getLogger(SecurityAnswers.class);

	private static final String RETRY_AFTER_SECONDS = "1";

	private final AuthenticationProperties authentication;

	SecurityAnswers(AuthenticationProperties authentication) {
		this.authentication = authentication;
	}

	/**
	 * Answers that a token is missing, is invalid (and why), or cannot be verified.
	 */
	void unauthenticated(HttpServletRequest request, HttpServletResponse response, AuthenticationException reason)
			throws IOException {
		BearerTokenError error = (reason instanceof OAuth2AuthenticationException ex
				&& ex.getError() instanceof BearerTokenError known) ? known : null;
		HttpStatus status = (error != null) ? error.getHttpStatus() : HttpStatus.UNAUTHORIZED;
		if (status == HttpStatus.SERVICE_UNAVAILABLE) {
			LOG.atWarn()
				.addKeyValue("error.id", RequestLog.errorId(request))
				.log("A token could not be verified. {}. Check spring.security.oauth2.resourceserver.jwt.issuer-uri, "
						+ "jwk-set-uri and the issuer", reason.getMessage());
			response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
		}
		else {
			response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge(error));
		}
		refuse(request, response, status, "", reason.getMessage());
	}

	/**
	 * Returns a challenge as in RFC 6750. Spring Security's challenge would refer to a
	 * metadata document that this service does not have.
	 */
	private static String challenge(@Nullable BearerTokenError error) {
		if (error == null) {
			return "Bearer";
		}
		String challenge = "Bearer error=\"" + error.getErrorCode() + "\"";
		return StringUtils.hasText(error.getDescription())
				? challenge + ", error_description=\"" + error.getDescription() + "\"" : challenge;
	}

	/**
	 * Answers that the caller has no permission for the request, and why.
	 */
	void forbidden(HttpServletRequest request, HttpServletResponse response, Throwable reason) throws IOException {
		// For a caller without a token, Spring Security wraps it.
		String cause = NestedExceptionUtils.getMostSpecificCause(reason).getMessage();
		refuse(request, response, HttpStatus.FORBIDDEN, "Forbidden: " + cause, cause);
	}

	/**
	 * Answers that the request line, the headers or the host name are invalid.
	 */
	void rejected(HttpServletRequest request, HttpServletResponse response, RequestRejectedException reason)
			throws IOException {
		if (!this.authentication.allowsHost(request.getServerName())) {
			forbidden(request, response,
					new AccessDeniedException("the host name of the request is not in authentication.allowed-hosts"));
			return;
		}
		// No "error.id" here: the log's JSON has the cause as "error".
		LOG.debug("A request was rejected ({})", RequestLog.errorId(request), reason);
		refuse(request, response, HttpStatus.BAD_REQUEST, "", reason.getMessage());
	}

	private static void refuse(HttpServletRequest request, HttpServletResponse response, HttpStatus status,
			String message, @Nullable String reason) throws IOException {
		// Before the error page: the request's line is logged in between.
		RequestLog.errorId(request);
		RequestLog.reason(request, String.valueOf(reason));
		response.sendError(status.value(), message);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

import io.github.dynamodblock.server.operation.RequestFacts;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.server.resource.BearerTokenError;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.util.StringUtils;

/**
 * The answers to requests that do not get as far as a controller. Thread-safe.
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
			String errorId = newErrorId(request);
			LOG.atWarn()
				.addKeyValue("error.id", errorId)
				.log("A token could not be checked, since the keys of its issuer cannot be had: {}. Look at jwt.issuer, "
						+ "jwt.jwks and the issuer itself", Tokens.reason(reason));
			response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
			write(response, HttpStatus.SERVICE_UNAVAILABLE, "Service unavailable", errorId);
			return;
		}
		BearerTokenError error = (reason instanceof OAuth2AuthenticationException ex
				&& ex.getError() instanceof BearerTokenError known) ? known : null;
		response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge(error));
		write(response, (error != null) ? error.getHttpStatus() : HttpStatus.UNAUTHORIZED, "Unauthorized",
				newErrorId(request));
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

	/**
	 * Answers that no client may call, as long as nothing says who may.
	 */
	void forbidden(HttpServletRequest request, HttpServletResponse response) throws IOException {
		write(response, HttpStatus.FORBIDDEN, "Forbidden", newErrorId(request));
	}

	/**
	 * Answers that the service may not be called under the request's host name.
	 */
	void hostNotAllowed(HttpServletRequest request, HttpServletResponse response) throws IOException {
		write(response, HttpStatus.FORBIDDEN,
				"Forbidden: the host name of the request is not in authentication.allowed-hosts", newErrorId(request));
	}

	/**
	 * Answers that the request's line or headers are not as they should be.
	 */
	void rejected(HttpServletRequest request, HttpServletResponse response, RequestRejectedException reason)
			throws IOException {
		String errorId = newErrorId(request);
		// No "error.id" here: the log's JSON has the cause as "error".
		LOG.debug("A request was rejected ({})", errorId, reason);
		write(response, HttpStatus.BAD_REQUEST, "Bad request", errorId);
	}

	private static String newErrorId(HttpServletRequest request) {
		String errorId = UUID.randomUUID().toString();
		RequestFacts.of(request).errorId(errorId);
		return errorId;
	}

	private static void write(HttpServletResponse response, HttpStatus status, String message, String errorId)
			throws IOException {
		response.setStatus(status.value());
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		String body = "{\"message\":\"" + message + "\",\"errorId\":\"" + errorId + "\"}";
		response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
	}

}

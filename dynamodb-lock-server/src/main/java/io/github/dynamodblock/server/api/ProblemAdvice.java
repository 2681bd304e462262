/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Writes errors as problem details (RFC 9457) for callers that accept {@code
 * application/problem+json}.
 */
@ControllerAdvice
class ProblemAdvice implements ResponseBodyAdvice<Object> {

	@Override
	public boolean supports(MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converterType) {
		return true;
	}

	@Override
	public @Nullable Object beforeBodyWrite(@Nullable Object body, MethodParameter returnType,
			MediaType selectedContentType, Class<? extends HttpMessageConverter<?>> selectedConverterType,
			ServerHttpRequest request, ServerHttpResponse response) {
		if (!(body instanceof ErrorAnswer error) || request.getHeaders()
			.getOrEmpty(HttpHeaders.ACCEPT)
			.stream()
			.noneMatch((types) -> types.contains(MediaType.APPLICATION_PROBLEM_JSON_VALUE))) {
			return body;
		}
		response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		int status = ((ServletServerHttpResponse) response).getServletResponse().getStatus();
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatusCode.valueOf(status), error.message());
		if (error.details() != null) {
			problem.setProperty("details", error.details());
		}
		if (error.errorId() != null) {
			problem.setProperty("errorId", error.errorId());
		}
		return problem;
	}

}

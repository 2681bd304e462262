/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.networknt.schema.Schema;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Reads a body, checks it by its schema, and only then makes an object of it.
 * Thread-safe.
 */
class CheckedBodyResolver implements HandlerMethodArgumentResolver {

	private final Map<Class<?>, Schema> schemas = new ConcurrentHashMap<>();

	private final JsonMapper mapper = JsonMapper.shared();

	private final ApiDocument document;

	private final Duration timeout;

	CheckedBodyResolver(ApiDocument document, Duration timeout) {
		this.document = document;
		this.timeout = timeout;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.hasParameterAnnotation(CheckedBody.class);
	}

	@Override
	public Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) throws IOException {
		HttpServletRequest servletRequest = request.getNativeRequest(HttpServletRequest.class);
		if (servletRequest == null) {
			throw new IllegalStateException("Not a request of a servlet: " + request);
		}
		JsonNode body = RequestBody.read(servletRequest, this.timeout);
		List<String> violations = violations(body, parameter.getParameterType());
		if (!violations.isEmpty()) {
			throw new InvalidBodyException(violations);
		}
		return this.mapper.treeToValue(body, parameter.getParameterType());
	}

	private List<String> violations(JsonNode body, Class<?> type) {
		Schema schema = this.schemas.computeIfAbsent(type,
				(key) -> this.document.schema("/components/schemas/" + key.getSimpleName()));
		try {
			return ApiDocument.violations(body, schema);
		}
		catch (JacksonException ex) {
			// 1e300, for example, which is compared with the limits as a long.
			return List.of("$: holds a number that is out of range");
		}
	}

}

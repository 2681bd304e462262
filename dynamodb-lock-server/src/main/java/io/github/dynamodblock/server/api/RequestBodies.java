/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import io.github.dynamodblock.server.lock.LockServerProperties;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;

/**
 * Reads the bodies of requests, as strict as they can be read: what another program on
 * the way could read differently is no JSON here. A body is checked by its schema before
 * an object is made of it. Thread-safe.
 */
@Component
class RequestBodies {

	/** A hundred times as much as the longest valid body. */
	static final int MOST_BYTES = 16 * 1024;

	private static final JsonMapper STRICT = JsonMapper
		.builder(JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	private final ApiDocument document;

	private final Duration timeout;

	RequestBodies(ApiDocument document, LockServerProperties properties) {
		this.document = document;
		this.timeout = properties.bodyTimeout();
	}

	/**
	 * Reads the body.
	 * @param request the request
	 * @param type what the body is; the schema has its name
	 * @return the body
	 * @throws InvalidRequestException if the body is no JSON or breaks its schema
	 * @throws ErrorResponseException if it is too large, or does not arrive in time
	 * @throws IOException if the client goes away
	 */
	<T> T read(HttpServletRequest request, Class<T> type) throws IOException {
		JsonNode body = json(text(bytes(request.getInputStream())));
		List<String> violations = violations(body, type);
		if (!violations.isEmpty()) {
			throw invalid(violations);
		}
		return STRICT.treeToValue(body, type);
	}

	private List<String> violations(JsonNode body, Class<?> type) {
		try {
			return ApiDocument.violations(body, this.document.schema("/components/schemas/" + type.getSimpleName()));
		}
		catch (JacksonException ex) {
			// 1e300, for example, which is compared with the limits as a long.
			return List.of("$: contains a number that is out of range");
		}
	}

	/** A body may come in small parts, each of them in time: the whole counts. */
	private byte[] bytes(InputStream input) throws IOException {
		long deadline = System.nanoTime() + this.timeout.toNanos();
		byte[] buffer = new byte[MOST_BYTES + 1];
		int length = 0;
		try {
			for (int read = 0; read >= 0 && length < buffer.length; length += Math.max(0, read)) {
				if (System.nanoTime() - deadline > 0) {
					throw tooSlow();
				}
				read = input.read(buffer, length, buffer.length - length);
			}
		}
		catch (SocketTimeoutException ex) {
			throw tooSlow();
		}
		if (length > MOST_BYTES) {
			throw refused(HttpStatus.CONTENT_TOO_LARGE, "The body is larger than " + MOST_BYTES + " bytes");
		}
		return Arrays.copyOf(buffer, length);
	}

	private ErrorResponseException tooSlow() {
		ErrorResponseException ex = refused(HttpStatus.REQUEST_TIMEOUT,
				"The body did not arrive within " + this.timeout.toMillis() + " ms");
		// What is left of the body is not waited for.
		ex.getHeaders().set(HttpHeaders.CONNECTION, "close");
		return ex;
	}

	private static ErrorResponseException refused(HttpStatus status, String reason) {
		return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, reason), null);
	}

	private static String text(byte[] bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			throw invalid(List.of("$: is not encoded in UTF-8"));
		}
	}

	private static JsonNode json(String text) {
		if (text.isBlank()) {
			throw invalid(List.of("$: is empty; a JSON object is expected"));
		}
		try {
			return STRICT.readTree(text);
		}
		catch (JacksonException ex) {
			throw invalid(
					List.of("$: is not well-formed JSON, or contains a duplicate property" + place(ex.getLocation())));
		}
	}

	private static String place(@Nullable TokenStreamLocation location) {
		return (location == null || location.getLineNr() < 1) ? ""
				: "; see line " + location.getLineNr() + ", column " + location.getColumnNr();
	}

	private static InvalidRequestException invalid(List<String> violations) {
		return new InvalidRequestException("JSON validation failed", violations);
	}

}

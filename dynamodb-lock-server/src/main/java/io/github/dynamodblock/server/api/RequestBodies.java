/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.server.lock.LockServerProperties;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
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
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.DeferredResultProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncUtils;

/**
 * Reads request bodies, as strictly as possible. JSON that a program in between could
 * read differently is invalid. A body is validated against its schema before it becomes
 * an object. Thread-safe.
 */
@Component
class RequestBodies {

	/** A hundred times the size of the longest valid body. */
	static final int MOST_BYTES = 16 * 1024;

	private static final byte[] TOO_SLOW = {};

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
	 * Reads the body of a request without blocking. Begins when the request becomes
	 * asynchronous.
	 * @param <T> the type of the body
	 * @param request the request
	 * @param type the type of the body; its schema has the same name
	 * @return a future of the body. It fails with an {@link InvalidRequestException} if
	 * the body is not JSON or violates its schema, an {@link ErrorResponseException} if
	 * it is too large or does not arrive in time, or another exception if the client goes
	 * away
	 */
	<T> CompletableFuture<T> read(HttpServletRequest request, Class<T> type) {
		CompletableFuture<byte[]> bytes = new CompletableFuture<>();
		WebAsyncUtils.getAsyncManager(request)
			.registerDeferredResultInterceptor(this, new DeferredResultProcessingInterceptor() {
				@Override
				public <R> void preProcess(NativeWebRequest web, DeferredResult<R> result) throws IOException {
					ServletInputStream input = request.getInputStream();
					input.setReadListener(new Reader(input, bytes));
				}
			});
		return bytes.completeOnTimeout(TOO_SLOW, Caller.of(request).millisLeft(this.timeout), TimeUnit.MILLISECONDS)
			.thenApply((body) -> parse(body, type));
	}

	private <T> T parse(byte[] bytes, Class<T> type) {
		if (bytes == TOO_SLOW) {
			throw tooSlow();
		}
		if (bytes.length > MOST_BYTES) {
			throw refused(HttpStatus.CONTENT_TOO_LARGE, "The body is larger than " + MOST_BYTES + " bytes");
		}
		JsonNode body = json(text(bytes));
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

	private ErrorResponseException tooSlow() {
		ErrorResponseException ex = refused(HttpStatus.REQUEST_TIMEOUT,
				"The body did not arrive within " + this.timeout.toMillis() + " ms, or a part of it took too long");
		// Do not wait for the rest of the body.
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

	/**
	 * Collects a body, and stops when it has more bytes than allowed.
	 *
	 * @param input the stream that is read
	 * @param body the future that is completed with the bytes
	 */
	private record Reader(ServletInputStream input, ByteArrayOutputStream bytes,
			CompletableFuture<byte[]> body) implements ReadListener {

		Reader(ServletInputStream input, CompletableFuture<byte[]> body) {
			this(input, new ByteArrayOutputStream(), body);
		}

		@Override
		public void onDataAvailable() throws IOException {
			byte[] part = new byte[1024];
			while (this.bytes.size() <= MOST_BYTES && this.input.isReady()) {
				this.bytes.write(part, 0, Math.max(0, this.input.read(part)));
			}
			if (this.bytes.size() > MOST_BYTES) {
				onAllDataRead();
			}
		}

		@Override
		public void onAllDataRead() {
			this.body.complete(this.bytes.toByteArray());
		}

		@Override
		public void onError(Throwable ex) {
			// Tomcat's time limit for the next part may end first.
			boolean unused = (ex instanceof SocketTimeoutException) ? this.body.complete(TOO_SLOW)
					: this.body.completeExceptionally(ex);
		}

	}

}

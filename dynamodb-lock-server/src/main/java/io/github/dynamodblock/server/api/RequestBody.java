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

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The body of a request, as strict as it can be read: what another program on the way
 * could read differently is no JSON here.
 */
final class RequestBody {

	/** A hundred times as much as the longest valid body. */
	static final int MOST_BYTES = 16 * 1024;

	private static final JsonMapper STRICT = JsonMapper
		.builder(JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	private RequestBody() {
	}

	/**
	 * Reads the body.
	 * @param request the request
	 * @param timeout how long the body may take to arrive
	 * @return a JSON value
	 * @throws InvalidBodyException if the body is empty or no JSON
	 * @throws BodyTooLargeException if it is too large to be looked at
	 * @throws BodyTimeoutException if it does not arrive in time
	 * @throws IOException if the client goes away
	 */
	static JsonNode read(HttpServletRequest request, Duration timeout) throws IOException {
		String text = text(bytes(request.getInputStream(), timeout));
		if (text.isBlank()) {
			throw new InvalidBodyException("$: is empty; a JSON object is expected");
		}
		try {
			return STRICT.readTree(text);
		}
		catch (JacksonException ex) {
			throw new InvalidBodyException(
					"$: is not well-formed JSON, or has a property twice" + place(ex.getLocation()));
		}
	}

	/**
	 * A body that trickles in keeps a thread. A single read is limited by the
	 * connection's timeout, and the sum of them here.
	 */
	private static byte[] bytes(InputStream input, Duration timeout) throws IOException {
		long deadline = System.nanoTime() + timeout.toNanos();
		byte[] buffer = new byte[MOST_BYTES + 1];
		int length = 0;
		try {
			for (int read = 0; read >= 0 && length < buffer.length; length += Math.max(0, read)) {
				if (System.nanoTime() - deadline > 0) {
					throw new BodyTimeoutException(timeout);
				}
				read = input.read(buffer, length, buffer.length - length);
			}
		}
		catch (SocketTimeoutException ex) {
			throw new BodyTimeoutException(timeout);
		}
		if (length > MOST_BYTES) {
			throw new BodyTooLargeException(MOST_BYTES);
		}
		return Arrays.copyOf(buffer, length);
	}

	private static String text(byte[] bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new InvalidBodyException("$: is not encoded in UTF-8");
		}
	}

	private static String place(@Nullable TokenStreamLocation location) {
		return (location == null || location.getLineNr() < 1) ? ""
				: "; see line " + location.getLineNr() + ", column " + location.getColumnNr();
	}

}

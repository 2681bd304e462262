/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.network;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A request or an answer of HTTP/1.1, byte for byte as it came, with its end found.
 */
final class HttpMessage {

	private static final int LONGEST_HEAD = 65_536;

	private static final String CONTENT_LENGTH = "content-length";

	private final String head;

	private final byte[] bytes;

	private final byte[] body;

	private HttpMessage(String head, byte[] bytes, byte[] body) {
		this.head = head;
		this.bytes = bytes;
		this.body = body;
	}

	/**
	 * Reads a whole message.
	 * @param in where from; nothing beyond the message is read if it is buffered
	 * @return the message, or {@code null} if the stream ends before its first byte
	 * @throws IOException if the stream fails, or ends in the middle
	 */
	static @Nullable HttpMessage read(InputStream in) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		String head = readUntil(in, bytes, "\r\n\r\n");
		if (head.isEmpty()) {
			return null;
		}
		HttpMessage onlyHead = new HttpMessage(head, new byte[0], new byte[0]);
		String length = onlyHead.header(CONTENT_LENGTH);
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		if (length != null) {
			body.write(readExactly(in, bytes, Integer.parseInt(length)));
		}
		else if ("chunked".equalsIgnoreCase(onlyHead.header("transfer-encoding"))) {
			readChunks(in, bytes, body);
		}
		return new HttpMessage(head, bytes.toByteArray(), body.toByteArray());
	}

	/** An answer with a body of JSON. */
	static HttpMessage answer(int status, String json) {
		String head = "HTTP/1.1 " + status + " Fault\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: "
				+ json.length() + "\r\n\r\n";
		return message(head, json);
	}

	/** A request to DynamoDB Local, which does not check signatures. */
	static HttpMessage request(String target, String authorization, String json) {
		String head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: "
				+ target + "\r\nAuthorization: " + authorization + "\r\nContent-Length: " + json.length() + "\r\n\r\n";
		return message(head, json);
	}

	private static HttpMessage message(String head, String json) {
		return new HttpMessage(head, (head + json).getBytes(StandardCharsets.US_ASCII),
				json.getBytes(StandardCharsets.US_ASCII));
	}

	byte[] bytes() {
		return this.bytes;
	}

	/** What follows the head, without the frames of chunks. */
	byte[] body() {
		return this.body;
	}

	/** The value of a header, or {@code null}. */
	@Nullable String header(String name) {
		for (String line : this.head.lines().toList()) {
			int colon = line.indexOf(':');
			if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals(name)) {
				return line.substring(colon + 1).trim();
			}
		}
		return null;
	}

	/** Whether it is an answer with the status 200. */
	boolean isOk() {
		return this.head.startsWith("HTTP/1.1 200");
	}

	/** Whether the text occurs in the message, in ASCII. */
	boolean contains(String text) {
		return new String(this.bytes, StandardCharsets.ISO_8859_1).contains(text);
	}

	private static void readChunks(InputStream in, ByteArrayOutputStream bytes, ByteArrayOutputStream content)
			throws IOException {
		int length;
		do {
			String size = readUntil(in, bytes, "\r\n").trim();
			int extension = size.indexOf(';');
			length = Integer.parseInt((extension < 0) ? size : size.substring(0, extension).trim(), 16);
			content.write(readExactly(in, bytes, length + 2), 0, length);
		}
		while (length > 0);
	}

	/** Empty if the stream ends at once. */
	private static String readUntil(InputStream in, ByteArrayOutputStream bytes, String end) throws IOException {
		StringBuilder text = new StringBuilder();
		while (!endsWith(text, end)) {
			int next = in.read();
			if (next < 0) {
				if (text.isEmpty()) {
					return "";
				}
				throw new EOFException("The connection ended in the head of a message");
			}
			if (text.length() == LONGEST_HEAD) {
				throw new IOException("A message's head is longer than " + LONGEST_HEAD + " bytes");
			}
			bytes.write(next);
			text.append((char) next);
		}
		return text.toString();
	}

	private static boolean endsWith(StringBuilder text, String end) {
		int start = text.length() - end.length();
		return start >= 0 && text.indexOf(end, start) == start;
	}

	private static byte[] readExactly(InputStream in, ByteArrayOutputStream bytes, int length) throws IOException {
		byte[] body = in.readNBytes(length);
		if (body.length < length) {
			throw new EOFException("The connection ended in the body of a message");
		}
		bytes.write(body);
		return body;
	}

}

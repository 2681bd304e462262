/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A connection on which a test writes its requests byte by byte.
 */
public final class RawCalls implements AutoCloseable {

	private static final int PATIENCE_MILLIS = 60_000;

	private final Socket socket;

	private RawCalls(Socket socket) {
		this.socket = socket;
	}

	/**
	 * Opens a connection.
	 * @param instance where to
	 * @return the connection
	 */
	public static RawCalls to(ServiceInstance instance) {
		return to(instance.port());
	}

	/**
	 * Opens a connection.
	 * @param port where to, on this machine
	 * @return the connection
	 */
	public static RawCalls to(int port) {
		try {
			Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
			socket.setSoTimeout(PATIENCE_MILLIS);
			return new RawCalls(socket);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the text of an acquisition.
	 * @param namespace the lock's namespace
	 * @param lock the lock's name
	 * @return the request
	 */
	public static String acquire(String namespace, String lock) {
		String body = "{\"instanceId\":\"an-instance\",\"leaseDuration\":600}";
		return head("POST", namespace, lock, "/acquire") + "Content-Length: " + body.length() + "\r\n\r\n" + body;
	}

	/**
	 * Returns the text of an acquisition that announces a body and contains none of it.
	 * @param namespace the lock's namespace
	 * @param lock the lock's name
	 * @return the request
	 */
	public static String withoutBody(String namespace, String lock) {
		return head("POST", namespace, lock, "/acquire") + "Content-Length: 10000\r\n\r\n";
	}

	/**
	 * Returns the text of a read.
	 * @param namespace the lock's namespace
	 * @param lock the lock's name
	 * @return the request
	 */
	public static String get(String namespace, String lock) {
		return head("GET", namespace, lock, "") + "\r\n";
	}

	private static String head(String method, String namespace, String lock, String action) {
		return method + " /v1/" + namespace + "/lock/" + lock + action + " HTTP/1.1\r\nHost: localhost\r\n";
	}

	/**
	 * Sends a part of a request, or several requests.
	 * @param text what is sent
	 * @return this
	 */
	public RawCalls send(String text) {
		try {
			this.socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Whether a part of a response has come.
	 */
	public boolean isAnswered() {
		try {
			return this.socket.getInputStream().available() > 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Waits for the next response.
	 * @return its head and the object in its body
	 */
	public String answer() {
		try {
			StringBuilder answer = new StringBuilder();
			InputStream input = this.socket.getInputStream();
			int next = 0;
			while (next != '}' && next >= 0) {
				next = input.read();
				answer.append((char) next);
			}
			return answer.toString();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Resets the connection, as a caller does that ends while it waits.
	 */
	public void reset() {
		try {
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

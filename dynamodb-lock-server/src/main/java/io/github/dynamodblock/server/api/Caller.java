/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request, as Tomcat sees it.
 *
 * @param connection its connection, or {@code null} if it is not one of HTTP/1.1
 * @param arrival when the request arrived, by the JVM's stopwatch
 */
record Caller(@Nullable Connection connection, long arrival) {

	private static final String ATTRIBUTE = Caller.class.getName();

	static Caller of(ServletRequest request) {
		return (Caller) request.getAttribute(ATTRIBUTE);
	}

	/**
	 * Returns how much is left of a time that began when the request arrived.
	 * @param time the time
	 * @return milliseconds, at least 1
	 */
	long millisLeft(Duration time) {
		return Math.max(1, time.minusNanos(System.nanoTime() - this.arrival).toMillis());
	}

	/**
	 * Whether the caller has closed its connection, after the body.
	 * @param answered whether the request has its response, after which the connection is
	 * another one's
	 */
	boolean hasLeft(BooleanSupplier answered) {
		return this.connection != null && this.connection.isClosed(answered);
	}

	/**
	 * Adds the caller to each request.
	 */
	static final class Valve extends ValveBase {

		Valve() {
			super(true);
		}

		@Override
		public void invoke(Request request, Response response) throws IOException, ServletException {
			if (request.getAttribute(ATTRIBUTE) == null) {
				@Nullable Connection connection = (Connection) request.getCoyoteRequest().getNote(Connection.NOTE);
				request.setAttribute(ATTRIBUTE, new Caller(connection, System.nanoTime()));
			}
			getNext().invoke(request, response);
		}

	}

	/**
	 * Tomcat's protocol, with connections that can be asked. Tomcat creates it by name.
	 */
	public static final class Protocol extends Http11NioProtocol {

		@Override
		protected Processor createProcessor() {
			return new Connection(this);
		}

	}

	/**
	 * Serves a connection. Tomcat itself does not notice that it is closed while a
	 * request is asynchronous, and its own look at the available bytes would lose some of
	 * the next request.
	 */
	private static final class Connection extends Http11Processor {

		/**
		 * Tomcat leaves notes from here on to others; they stay with the request object.
		 */
		private static final int NOTE = 17;

		Connection(Protocol protocol) {
			super(protocol, protocol.getAdapter());
			this.request.setNote(NOTE, this);
		}

		boolean isClosed(BooleanSupplier answered) {
			SocketWrapperBase<?> socket = getSocketWrapper();
			if (socket == null) {
				return true;
			}
			// While it is held, no other thread processes the connection.
			Lock lock = socket.getLock();
			lock.lock();
			try {
				if (answered.getAsBoolean()) {
					return true;
				}
				ByteBuffer next = ByteBuffer.allocate(1);
				int read = socket.read(false, next);
				socket.unRead(next.flip());
				return read < 0;
			}
			catch (IOException ex) {
				return true;
			}
			finally {
				lock.unlock();
			}
		}

	}

}

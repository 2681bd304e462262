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
 * @param connection its connection, or {@code null} if that does not use HTTP/1.1
 * @param arrival when the request arrived, by {@link System#nanoTime()}
 */
record Caller(@Nullable Connection connection, long arrival) {

	private static final String ATTRIBUTE = Caller.class.getName();

	static Caller of(ServletRequest request) {
		return (Caller) request.getAttribute(ATTRIBUTE);
	}

	/**
	 * Returns the remainder of a time that began when the request arrived.
	 * @param time the time
	 * @return milliseconds, at least 1
	 */
	long millisLeft(Duration time) {
		return Math.max(1, time.minusNanos(System.nanoTime() - this.arrival).toMillis());
	}

	/**
	 * Returns whether the caller has closed its connection after it sent the body.
	 * @param answered whether the request has been answered; the connection then serves
	 * another request
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
	 * Tomcat's protocol, with connections that detect whether they were closed. Tomcat
	 * creates it by name.
	 */
	public static final class Protocol extends Http11NioProtocol {

		@Override
		protected Processor createProcessor() {
			return new Connection(this);
		}

	}

	/**
	 * Serves a connection. During an asynchronous request, Tomcat itself does not notice
	 * that the connection was closed. Its own check of the available bytes would lose
	 * some bytes of the next request.
	 */
	private static final class Connection extends Http11Processor {

		/**
		 * The first note that Tomcat does not use itself. A note stays with the request
		 * object.
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

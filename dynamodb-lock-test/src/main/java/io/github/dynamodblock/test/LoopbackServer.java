/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/**
 * Runs DynamoDB Local's request handler in a separate HTTP server. DynamoDB Local's own
 * runner listens on every address of the machine, sends telemetry unless it is switched
 * off, and leaves threads behind when it is stopped.
 */
final class LoopbackServer implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(LoopbackServer.class);

	private static final String LOOPBACK = "127.0.0.1";

	private static final int MAX_THREADS = 200;

	private static final int MIN_THREADS = 4;

	private static final int IDLE_THREAD_MILLIS = 60_000;

	/**
	 * Longer than HTTP clients keep an idle connection, so the clients close connections.
	 */
	private static final long IDLE_CONNECTION_MILLIS = 600_000;

	/** The time for requests in progress when the server is closed. */
	private static final long STOP_MILLIS = 2_000;

	/**
	 * DynamoDB Local keeps its operations in static maps, which are not thread-safe. Each
	 * new handler empties and refills them. Another handler that reads them meanwhile
	 * would not find the requested operation.
	 */
	private static final ReadWriteLock operations = new ReentrantReadWriteLock();

	private final ServerThreads threads;

	private final LocalDynamoDBServerHandler dynamoDb;

	private final Server http;

	private final ServerConnector connector;

	private boolean closed;

	private LoopbackServer(int port, @Nullable Path directory, boolean sharedByAllCredentials) {
		this.threads = new ServerThreads();
		this.dynamoDb = dynamoDb(directory, sharedByAllCredentials);
		this.http = http(this.threads);
		this.http.setHandler(new GracefulHandler(new RequestHandler(this.dynamoDb)));
		this.http.setStopTimeout(STOP_MILLIS);
		this.connector = new ServerConnector(this.http, 1, 1);
		this.connector.setHost(LOOPBACK);
		this.connector.setPort(port);
		this.connector.setIdleTimeout(IDLE_CONNECTION_MILLIS);
		this.connector.setShutdownIdleTimeout(1);
		this.http.addConnector(this.connector);
	}

	/**
	 * Starts a server.
	 * @param sharedByAllCredentials whether all credentials see the same tables
	 */
	static LoopbackServer start(int port, @Nullable Path directory, boolean sharedByAllCredentials) {
		ServerLoggers.quieten();
		LoopbackServer server = new LoopbackServer(port, directory, sharedByAllCredentials);
		try {
			server.http.start();
		}
		catch (Exception ex) {
			server.close();
			throw new IllegalStateException(whyNotStarted(port, ex), ex);
		}
		return server;
	}

	URI endpoint() {
		return URI.create("http://" + LOOPBACK + ":" + this.connector.getLocalPort());
	}

	@Override
	public synchronized void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		ServerLoggers.quieten();
		try {
			this.http.stop();
		}
		catch (Exception ex) {
			logger.warn("The HTTP server in front of DynamoDB Local did not stop cleanly", ex);
		}
		this.dynamoDb.close();
		// DynamoDB Local's jobs for indexes and TTL continue to sleep after its close.
		this.threads.end();
	}

	/** Keeps tables in files of the directory, or in memory without one. */
	static LocalDynamoDBServerHandler dynamoDb(@Nullable Path directory, boolean sharedByAllCredentials) {
		String files = (directory != null) ? directory.toString() : null;
		boolean inMemory = (files == null);
		boolean delayTableStates = false;
		operations.writeLock().lock();
		try {
			return new LocalDynamoDBServerHandler(
					new LocalDynamoDBRequestHandler(0, inMemory, files, sharedByAllCredentials, delayTableStates),
					null);
		}
		finally {
			operations.writeLock().unlock();
		}
	}

	private static Server http(ServerThreads threads) {
		// Threads that DynamoDB Local starts while it serves a request belong to the
		// group, too.
		QueuedThreadPool pool = new QueuedThreadPool(MAX_THREADS, MIN_THREADS, IDLE_THREAD_MILLIS,
				new LinkedBlockingQueue<>(), threads.group());
		pool.setName("embedded-dynamodb");
		pool.setDaemon(true);
		return new Server(pool, new ScheduledExecutorScheduler("embedded-dynamodb-scheduler", true), null);
	}

	private static String whyNotStarted(int port, Exception ex) {
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof BindException) {
				return "DynamoDB Local cannot listen on %s:%d, because another process uses that port. Choose another port, or 0 for any free one"
					.formatted(LOOPBACK, port);
			}
		}
		return "DynamoDB Local did not start on %s:%d: %s".formatted(LOOPBACK, port, ex.getMessage());
	}

	/**
	 * Keeps the loggers quiet if the logging system is reconfigured, and keeps requests
	 * and the start of another server apart.
	 */
	private static final class RequestHandler extends Handler.Wrapper {

		RequestHandler(Handler handler) {
			super(handler);
		}

		@Override
		public boolean handle(Request request, Response response, Callback callback) throws Exception {
			ServerLoggers.quieten();
			operations.readLock().lock();
			try {
				return super.handle(request, response, callback);
			}
			finally {
				operations.readLock().unlock();
			}
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.core.io.ClassPathResource;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Serves a page with the jobs and locks, on the loopback interface only. The page reads
 * {@code /state}, a stream of server-sent events, each of which is the whole state, so
 * that a page that connects again needs nothing else. Thread-safe.
 */
final class LivePage implements AutoCloseable {

	/** The lock table: the starter's default. */
	static final String TABLE = "locks";

	private static final Map<String, String> FILES = Map.of("/index.html", "text/html; charset=utf-8", "/page.css",
			"text/css; charset=utf-8", "/page.js", "text/javascript; charset=utf-8", "/icon.svg", "image/svg+xml");

	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
			+ "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	private static final int MOST_WATCHERS = 8;

	private static final long REFRESH_MILLISECONDS = 500;

	private static final int OK = 200;

	private final Semaphore watchers = new Semaphore(MOST_WATCHERS);

	private final CountDownLatch closed = new CountDownLatch(1);

	private final ExecutorService threads = Executors.newCachedThreadPool(threadFactory());

	private final DynamoDbClient dynamoDb;

	private final LockClient locks;

	private final LiveState state;

	private final HttpServer server;

	private LivePage(DynamoDbClient dynamoDb, int port) throws IOException {
		this.dynamoDb = dynamoDb;
		this.locks = LockClient.builder(dynamoDb).tableName(TABLE).build();
		this.state = new LiveState(this.locks);
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	/**
	 * Serves the page on a free port.
	 * @param dynamoDbEndpoint the address of DynamoDB Local
	 */
	static LivePage start(String dynamoDbEndpoint) throws IOException {
		return start(dynamoDbEndpoint, 0);
	}

	static LivePage start(String dynamoDbEndpoint, int port) throws IOException {
		return new LivePage(DynamoDbLocal.client(dynamoDbEndpoint), port);
	}

	private static CustomizableThreadFactory threadFactory() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("live-page-");
		factory.setDaemon(true);
		return factory;
	}

	String address() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/";
	}

	/** Adds a line of the timeline. */
	void addRow(List<String> cells) {
		this.state.addRow(cells);
	}

	private void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			Headers headers = exchange.getResponseHeaders();
			headers.set("Content-Security-Policy", POLICY);
			headers.set("X-Content-Type-Options", "nosniff");
			headers.set("X-Frame-Options", "DENY");
			headers.set("Referrer-Policy", "no-referrer");
			headers.set("Cross-Origin-Resource-Policy", "same-origin");
			headers.set("Cache-Control", "no-store");
			if (!isLocal(exchange.getRequestHeaders().getFirst("Host"))) {
				refuse(exchange, 403);
			}
			else if (!exchange.getRequestMethod().equals("GET")) {
				headers.set("Allow", "GET");
				refuse(exchange, 405);
			}
			else if (exchange.getRequestURI().getPath().equals("/state")) {
				stream(exchange);
			}
			else {
				sendFile(exchange);
			}
		}
	}

	/**
	 * Another site's name can resolve to this address; the browser then sends that name.
	 */
	private static boolean isLocal(@Nullable String host) {
		return host != null && host.matches("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");
	}

	private static void refuse(HttpExchange exchange, int status) throws IOException {
		exchange.sendResponseHeaders(status, -1);
	}

	private void sendFile(HttpExchange exchange) throws IOException {
		String path = exchange.getRequestURI().getPath();
		String file = path.equals("/") ? "/index.html" : path;
		String type = FILES.get(file);
		if (type == null) {
			refuse(exchange, 404);
			return;
		}
		byte[] content = new ClassPathResource("demo-page" + file).getContentAsByteArray();
		exchange.getResponseHeaders().set("Content-Type", type);
		exchange.sendResponseHeaders(OK, content.length);
		exchange.getResponseBody().write(content);
	}

	/** Sends the state until the reader leaves or this page is closed. */
	private void stream(HttpExchange exchange) throws IOException {
		if (!this.watchers.tryAcquire()) {
			refuse(exchange, 503);
			return;
		}
		try {
			exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
			exchange.sendResponseHeaders(OK, 0);
			OutputStream body = exchange.getResponseBody();
			do {
				String event = "retry: 1000\ndata: " + this.state.read(Instant.now()) + "\n\n";
				body.write(event.getBytes(StandardCharsets.UTF_8));
				body.flush();
			}
			while (!this.closed.await(REFRESH_MILLISECONDS, TimeUnit.MILLISECONDS));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.watchers.release();
		}
	}

	@Override
	public void close() {
		this.closed.countDown();
		this.server.stop(0);
		this.threads.shutdownNow();
		this.locks.close();
		this.dynamoDb.close();
	}

}

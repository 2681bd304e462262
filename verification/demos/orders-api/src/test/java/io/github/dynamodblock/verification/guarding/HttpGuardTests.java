/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.guarding;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A service that keeps the greatest fencing token of each order, which comes in a header.
 */
class HttpGuardTests {

	private final ConcurrentMap<String, Stored> orders = new ConcurrentHashMap<>();

	private final HttpClient client = HttpClient.newHttpClient();

	private HttpServer server;

	private URI uri;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", this::receive);
		this.server.start();
		this.uri = URI.create("http://127.0.0.1:" + this.server.getAddress().getPort() + "/order-1");
	}

	@AfterEach
	void stop() {
		this.server.stop(0);
	}

	@Test
	void aServiceRefusesTheRequestOfAFormerOwner() throws Exception {
		try (TwoOwners owners = new TwoOwners()) {
			send("packed", owners.former());
			send("labelled", owners.former());
			send("sent", owners.next());

			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> send("lost", owners.former()));
			assertThat(this.orders).extractingByKey("/order-1").extracting(Stored::state).isEqualTo("sent");
		}
	}

	private void send(String state, HeldLock lock) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(this.uri)
			.header("Fencing-Token", Long.toString(lock.fencingToken()))
			.PUT(BodyPublishers.ofString(state))
			.build();
		if (this.client.send(request, BodyHandlers.discarding()).statusCode() == 412) {
			throw new LockLostException(lock.key(), LossReason.STOLEN, lock.fencingToken());
		}
	}

	private void receive(HttpExchange exchange) throws IOException {
		String order = exchange.getRequestURI().getPath();
		long token = Long.parseLong(exchange.getRequestHeaders().getFirst("Fencing-Token"));
		Stored sent = new Stored(token, new String(exchange.getRequestBody().readAllBytes(), UTF_8));
		Stored stored = this.orders.merge(order, sent, (old, next) -> (old.token() > next.token()) ? old : next);
		exchange.sendResponseHeaders((stored.token() == token) ? 204 : 412, -1);
		exchange.close();
	}

	/**
	 * An order with the token of the last owner that wrote it.
	 */
	private record Stored(long token, String state) {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.server.ServiceInstance;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of clients that announce a body and do not send it: each of them would keep a
 * thread of the server.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class SlowBodyTests {

	/** More than the server has threads. */
	private static final int CLIENTS = 210;

	private static final String FIRST_HALF = "{\"instanceId\":";

	@Test
	void unauthenticatedClientsWithSlowBodiesKeepNoThread() throws Exception {
		try (ServiceInstance instance = ServiceInstance.start(
				"spring.security.oauth2.resourceserver.jwt.jwk-set-uri=http://127.0.0.1:1/jwks.json",
				"authentication.any-audience=true", "server.tomcat.connection-timeout=10m")) {
			List<Socket> clients = new ArrayList<>();
			try {
				for (int client = 0; client < CLIENTS; client++) {
					clients.add(post(instance.port()));
				}
				for (Socket client : clients) {
					assertThat(statusOf(client)).isEqualTo(401);
				}
				assertThat(instance.management().raw("GET", "/actuator/health/liveness", null).status()).isEqualTo(200);
			}
			finally {
				closeAll(clients);
			}
		}
	}

	@Test
	void bodiesThatTrickleInAndThoseOfWhichNothingMoreComesAreRefusedAfterTheirTimeout() throws Exception {
		try (ServiceInstance instance = ServiceInstance.start("authentication.disabled=true",
				"lock-server.body-timeout=300ms");
				Socket trickling = post(instance.port());
				Socket silent = post(instance.port())) {
			OutputStream output = trickling.getOutputStream();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(50))
				.atMost(Duration.ofSeconds(30))
				.until(() -> trickling.getInputStream().available() > 0 || !sent(output));
			assertThat(statusOf(trickling)).isEqualTo(408);
			assertThat(statusOf(silent)).isEqualTo(408);
		}
	}

	@Test
	void aBodyWhoseNextPartDoesNotComeIsRefusedAfterTheTimeOfTheConnection() throws Exception {
		try (ServiceInstance instance = ServiceInstance.start("authentication.disabled=true",
				"lock-server.body-timeout=1m", "lock-server.request-timeout=1m", "server.tomcat.connection-timeout=1s");
				Socket silent = post(instance.port())) {
			assertThat(statusOf(silent)).isEqualTo(408);
		}
	}

	@Test
	void moreSlowBodiesThanTheServerHasThreadsDelayNoOtherCall() throws Exception {
		try (ServiceInstance instance = ServiceInstance.start("authentication.disabled=true",
				"lock-server.body-timeout=1m", "lock-server.request-timeout=1m", "server.tomcat.threads.max=4",
				"server.tomcat.threads.min-spare=4")) {
			List<Socket> clients = new ArrayList<>();
			try {
				for (int client = 0; client < 20; client++) {
					clients.add(post(instance.port()));
				}
				assertThat(instance.calls().acquire("slow", "other-lock", "an-instance", 60).status()).isEqualTo(200);
				for (Socket client : clients) {
					assertThat(client.getInputStream().available()).isZero();
				}
			}
			finally {
				closeAll(clients);
			}
		}
	}

	/** With a time for each part, the first body would have two of them. */
	@Test
	void aBodyHasItsTimeFromTheArrivalOfTheRequestAndNotFromItsLastPart() throws Exception {
		try (ServiceInstance instance = ServiceInstance.start("authentication.disabled=true",
				"lock-server.body-timeout=4s"); Socket first = post(instance.port())) {
			TimeUnit.SECONDS.sleep(2);
			try (Socket second = post(instance.port())) {
				TimeUnit.SECONDS.sleep(1);
				assertThat(sent(first.getOutputStream())).isTrue();
				assertThat(statusOf(first)).isEqualTo(408);
				assertThat(second.getInputStream().available()).isZero();
				assertThat(statusOf(second)).isEqualTo(408);
			}
		}
	}

	private static Socket post(int port) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
		socket.setSoTimeout(30_000);
		socket.getOutputStream()
			.write(("POST /v1/slow/lock/some-lock/acquire HTTP/1.1\r\nHost: 127.0.0.1\r\n"
					+ "Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n" + FIRST_HALF)
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private static boolean sent(OutputStream output) {
		try {
			output.write(' ');
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int statusOf(Socket client) throws IOException {
		byte[] start = client.getInputStream().readNBytes("HTTP/1.1 200".length());
		return Integer.parseInt(new String(start, StandardCharsets.US_ASCII).substring("HTTP/1.1 ".length()));
	}

	private static void closeAll(List<Socket> clients) throws IOException {
		for (Socket client : clients) {
			client.close();
		}
	}

}

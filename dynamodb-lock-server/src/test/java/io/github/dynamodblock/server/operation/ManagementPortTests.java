/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.server.Crowd;
import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.ServiceInstance;
import io.github.dynamodblock.server.StoreCalls;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the port of health and metrics.
 */
@InstrumentedLockServer
class ManagementPortTests {

	private static final String READINESS = "/actuator/health/readiness";

	private static final String LIVENESS = "/actuator/health/liveness";

	/** The partition that a check of the table reads. */
	private static final String PROBE = "dynamodb-lock-health";

	@LocalServerPort
	private int port;

	@LocalManagementPort
	private int managementPort;

	@Autowired
	private StoreCalls store;

	private int management(String path) {
		return LockServerCalls.on(this.managementPort).raw("GET", path, null).status();
	}

	@Test
	void healthAndMetricsAreOnThatPortOnlyAndLocksAreNot() throws Exception {
		LockServerCalls api = LockServerCalls.on(this.port);
		assertThat(management("/actuator/health")).isEqualTo(200);
		assertThat(management("/actuator/prometheus")).isEqualTo(200);
		assertThat(api.raw("GET", "/actuator/health", null).status()).isEqualTo(404);
		assertThat(api.raw("GET", "/actuator/prometheus", null).status()).isEqualTo(404);

		HttpRequest acquire = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + this.managementPort + "/v1/management/lock/a-lock/acquire"))
			.POST(BodyPublishers.ofString("{\"instanceId\":\"an-instance\",\"leaseDuration\":60}"))
			.build();
		assertThat(HttpClient.newHttpClient().send(acquire, BodyHandlers.ofString()).statusCode()).isEqualTo(404);
		assertThat(api.get("management", "a-lock").body().has("owner")).isFalse();
	}

	@Test
	void livenessAnswersWhileStrangersHaveAllConnectionsOfTheApi() throws IOException {
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=true",
				"server.tomcat.max-connections=3", "server.tomcat.accept-count=1")) {
			List<Socket> strangers = new ArrayList<>();
			try {
				for (int stranger = 0; stranger < 4; stranger++) {
					strangers.add(halfARequest(service.port()));
				}
				assertThat(service.management().raw("GET", LIVENESS, null).status()).isEqualTo(200);
			}
			finally {
				for (Socket stranger : strangers) {
					stranger.close();
				}
			}
		}
	}

	private static Socket halfARequest(int port) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
		socket.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	@Test
	void whileDynamoDbHangsManyReadinessCallsAreOneReadAndAreAnswered() throws Exception {
		Awaitility.await().until(() -> management(READINESS) == 200);
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			this.store.forget();
			this.store.goTo(PROBE, silent.getLocalPort());
			CompletableFuture<Void> down = CompletableFuture
				.runAsync(() -> Awaitility.await().forever().until(() -> management(READINESS) == 503));
			Awaitility.await().until(() -> this.store.made().contains(StoreCalls.READ));

			assertThat(Crowd.of(100, (number) -> management(READINESS))).containsOnly(200);
			assertThat(management(LIVENESS)).isEqualTo(200);
			assertThat(this.store.made()).as("a read and its repetition").hasSizeBetween(1, 2);
			down.get(30, TimeUnit.SECONDS);
		}
		finally {
			this.store.mend();
		}
		Awaitility.await().until(() -> management(READINESS) == 200);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.server.ServiceInstance;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an instance that stops.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("stops")
class ShutdownTests {

	private static final String NAMESPACE = "shutdown-tests";

	@Test
	void aCallUnderWayIsAnsweredWhileNewOnesAreRefusedAndTheInstanceIsNotReady() throws Exception {
		ServiceInstance service = ServiceInstance.start("authentication.disabled=true");
		try (Socket underWay = connect(service)) {
			String body = "{\"instanceId\":\"an-instance\",\"leaseDuration\":60}";
			send(underWay,
					"POST /v1/shutdown-tests/lock/under-way/acquire HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
							+ "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n");
			await().until(() -> callsUnderWay(service) == 1);
			CompletableFuture<Void> stop = CompletableFuture.runAsync(service::close);
			await().until(() -> !accepts(service));
			assertThat(stop).isNotDone();
			assertThat(health(service, "readiness")).isEqualTo(503);
			assertThat(health(service, "liveness")).isEqualTo(200);
			send(underWay, body);
			assertThat(new String(underWay.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
				.contains("HTTP/1.1 200")
				.contains("\"success\":true");
			stop.get(10, TimeUnit.SECONDS);
		}
	}

	@Test
	void locksStayGrantedWhenTheirInstanceHasStopped() {
		try (ServiceInstance other = ServiceInstance.start("authentication.disabled=true")) {
			ServiceInstance first = ServiceInstance.start("authentication.disabled=true");
			long token = first.calls().acquire(NAMESPACE, "outlives", "an-instance", 60).number("fencingToken");
			first.close();
			assertThat(other.calls().acquire(NAMESPACE, "outlives", "other-instance", 60).status()).isEqualTo(423);
			assertThat(other.calls().renew(NAMESPACE, "outlives", "an-instance", 60).number("fencingToken"))
				.isEqualTo(token);
			assertThat(other.calls().release(NAMESPACE, "outlives", "an-instance").status()).isEqualTo(200);
		}
	}

	private static int health(ServiceInstance service, String group) {
		return service.management().raw("GET", "/actuator/health/" + group, null).status();
	}

	private static Socket connect(ServiceInstance service) throws IOException {
		return new Socket(InetAddress.getLoopbackAddress(), service.port());
	}

	private static boolean accepts(ServiceInstance service) {
		try {
			connect(service).close();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static void send(Socket socket, String text) throws IOException {
		socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		socket.getOutputStream().flush();
	}

	private static int callsUnderWay(ServiceInstance service) {
		return service.bean(MeterRegistry.class)
			.find("http.server.requests.active")
			.longTaskTimers()
			.stream()
			.mapToInt(LongTaskTimer::activeTasks)
			.sum();
	}

}

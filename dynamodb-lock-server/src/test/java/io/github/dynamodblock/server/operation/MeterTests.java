/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.util.List;

import io.github.dynamodblock.server.ServiceInstance;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what Prometheus reads.
 */
class MeterTests {

	private static final String NAMESPACE = "meter-tests";

	@Test
	void callsAreCountedByRouteAndStatusAndNoLockIsNamed() {
		try (ServiceInstance service = ServiceInstance.start("authentication.disabled=true")) {
			service.calls().acquire(NAMESPACE, "counted", "one-instance", 60);
			service.calls().acquire(NAMESPACE, "counted", "other-instance", 60);
			service.calls().acquire(NAMESPACE, "counted", "other-instance", 60);
			service.calls().raw("GET", "/v1/meter-tests/nothing/here", null);
			await().untilAsserted(() -> assertThat(meters(service)).anyMatch((line) -> isAcquire(line, 200, 1))
				.anyMatch((line) -> isAcquire(line, 423, 2)));
			assertThat(meters(service).stream()
				.filter((line) -> line.startsWith("dynamodb_lock_"))
				.map((line) -> line.replaceFirst("(_seconds(_active)?(_count|_sum|_max)?|_total)?\\{.*", ""))
				.distinct()).containsExactlyInAnyOrder("dynamodb_lock_acquire", "dynamodb_lock_acquire_active",
						"dynamodb_lock_takeovers", "dynamodb_lock_clock_difference");
			assertThat(meters(service)).noneMatch(
					(line) -> line.contains(NAMESPACE) || line.contains("counted") || line.contains("instance\""));
		}
	}

	private static List<String> meters(ServiceInstance service) {
		return service.management().raw("GET", "/actuator/prometheus", null).text().lines().toList();
	}

	private static boolean isAcquire(String line, int status, int times) {
		return line.startsWith("http_server_requests_seconds_count")
				&& line.contains("uri=\"/v1/{namespace}/lock/{lockName}/acquire\"")
				&& line.contains("status=\"" + status + "\"") && line.endsWith(" " + times);
	}

}

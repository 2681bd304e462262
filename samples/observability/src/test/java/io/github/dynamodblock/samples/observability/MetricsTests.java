/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.observability;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.test.JobTester;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.micrometer.metrics.test.autoconfigure.AutoConfigureMetrics;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(properties = { "work.order=0s", "work.report=0s" })
@AutoConfigureMetrics
@AutoConfigureMockMvc
class MetricsTests {

	@Autowired
	MockMvcTester http;

	@Autowired
	JobTester jobs;

	/** Stands for another node. */
	@Autowired
	LockClient otherNode;

	@Test
	void aRunOfTheReportIsCounted() {
		this.jobs.tick("report");
		assertThat(scrape()).contains(
				"dynamodb_lock_job_runs_seconds_count{dynamodb_lock_name=\"report\",dynamodb_lock_outcome=\"succeeded\"} 1\n");
	}

	@Test
	void anOrderThatWaitsIsShownUntilItIsShipped() throws Exception {
		CompletableFuture<MvcTestResult> shipment;
		try (HeldLock lock = this.otherNode.acquire("order:17")) {
			shipment = CompletableFuture.supplyAsync(() -> this.http.post().uri("/orders/17/shipment").exchange());
			await().untilAsserted(() -> assertThat(scrape()).contains(waitingForOrders(1)));
		}
		assertThat(shipment.join()).hasStatusOk();
		assertThat(scrape()).contains(waitingForOrders(0));
	}

	private static String waitingForOrders(int count) {
		return "dynamodb_lock_acquire_active_seconds_count{dynamodb_lock_client=\"dynamoDbLockClient\","
				+ "dynamodb_lock_name=\"order\",dynamodb_lock_outcome=\"unknown\"} " + count + "\n";
	}

	/** What Prometheus reads. */
	private String scrape() {
		return new String(this.http.get().uri("/actuator/prometheus").exchange().getResponse().getContentAsByteArray(),
				StandardCharsets.UTF_8);
	}

}

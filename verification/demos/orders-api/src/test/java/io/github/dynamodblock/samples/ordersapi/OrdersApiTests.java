/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.LockContext;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "server.address=127.0.0.1", "orders.patience=2s" })
class OrdersApiTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@Value("${local.server.port}")
	private int port;

	@Autowired
	private OrderService orders;

	@Autowired
	private LockClient locks;

	@Autowired
	private ObservedWarehouse warehouse;

	@Test
	void anItemIsAddedUnderTheOrdersLockAndTheAnswerCarriesItsToken() throws Exception {
		long id = openOrder();

		HttpResponse<String> response = addItem(id);

		long token = this.locks.find(lockOf(id)).orElseThrow().fencingToken().orElseThrow();
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.body())
			.isEqualTo("{\"id\":" + id + ",\"items\":1,\"totalCents\":250,\"fencingToken\":" + token + "}");
	}

	@Test
	void theLockIsReleasedAfterTheCommit() throws Exception {
		long id = openOrder();

		addItem(id);

		assertThat(this.warehouse.lockedAtCommit).isTrue();
		assertThat(this.locks.find(lockOf(id)))
			.hasValueSatisfying((record) -> assertThat(record.isReleased()).isTrue());
	}

	@Test
	void aRequestWhoseOrderIsBusyChangesNothingAndIsAskedToRetry() throws Exception {
		long id = openOrder();
		HttpResponse<String> response;
		try (HeldLock lock = this.locks.acquire(lockOf(id))) {
			response = addItem(id);
		}

		assertThat(response.statusCode()).isEqualTo(423);
		assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(response.body()).contains("Others are changing the same order. Try again.");
		assertThat(this.orders.find(id).getItems()).isZero();
		assertThat(addItem(id).statusCode()).isEqualTo(200);
	}

	@Test
	void anOrderThatDoesNotExistIsNotFound() throws Exception {
		assertThat(addItem(4711).statusCode()).isEqualTo(404);
	}

	private long openOrder() {
		Long id = this.orders.open().getId();
		assertThat(id).isNotNull();
		return id;
	}

	private HttpResponse<String> addItem(long id) throws IOException, InterruptedException {
		URI uri = URI.create("http://127.0.0.1:" + this.port + "/orders/" + id + "/items");
		HttpRequest request = HttpRequest.newBuilder(uri)
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"cents\":250}"))
			.build();
		return this.client.send(request, BodyHandlers.ofString());
	}

	private static String lockOf(long id) {
		return "order:" + id;
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class WarehouseConfiguration {

		@Bean
		@Primary
		ObservedWarehouse observedWarehouse() {
			return new ObservedWarehouse();
		}

	}

	/**
	 * Observes the lock just after the commit.
	 */
	static class ObservedWarehouse extends Warehouse {

		private volatile boolean lockedAtCommit;

		@Override
		public void reserve(Item item) throws InterruptedException {
			super.reserve(item);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					ObservedWarehouse.this.lockedAtCommit = LockContext.current().map(HeldLock::isHeld).orElse(false);
				}

			});
		}

	}

}

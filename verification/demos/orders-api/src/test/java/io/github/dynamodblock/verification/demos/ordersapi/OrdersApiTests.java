/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.samples.ordersapi.Item;
import io.github.dynamodblock.samples.ordersapi.OrderResponse;
import io.github.dynamodblock.samples.ordersapi.OrderService;
import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.verification.demos.ordersapi.Stored.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.willAnswer;

/**
 * The sample's service between its read and its write.
 */
@SpringBootTest(classes = { OrdersApiApplication.class, ObservedOrders.class },
		webEnvironment = WebEnvironment.RANDOM_PORT, properties = { "server.address=127.0.0.1",
				"dynamodb-lock.wait-time=100ms", "spring.datasource.url=jdbc:h2:mem:orders-api;LOCK_TIMEOUT=60000" })
class OrdersApiTests {

	@MockitoBean
	private Warehouse warehouse;

	@Autowired
	private OrderService orders;

	@Autowired
	private LockClient locks;

	@Value("${local.server.port}")
	private int port;

	private NodeClient node;

	private long order;

	@BeforeEach
	void openOrder() throws Exception {
		this.node = new NodeClient("node", "http://127.0.0.1:" + this.port);
		this.order = this.node.openOrder();
	}

	@Test
	void anItemIsAddedUnderTheOrdersLock() {
		Answer answer = this.node.addItem(this.order, 250).join();
		long token = this.locks.find(lockOfOrder()).orElseThrow().fencingToken().orElseThrow();
		assertThat(answer).isEqualTo(new Answer.Added(this.order, 250, 1, token));
	}

	@Test
	void theLockIsReleasedAfterTheCommit() throws Exception {
		AtomicBoolean heldAtCommit = new AtomicBoolean();
		willAnswer((call) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					heldAtCommit.set(LockContext.current().map(HeldLock::isHeld).orElse(false));
				}

			});
			return null;
		}).given(this.warehouse).reserve();
		this.node.addItem(this.order, 250).join();
		assertThat(heldAtCommit).isTrue();
		assertThat(this.locks.find(lockOfOrder()))
			.hasValueSatisfying((record) -> assertThat(record.isReleased()).isTrue());
	}

	@Test
	void aRequestWhoseOrderIsBusyChangesNothing() throws Exception {
		try (HeldLock lock = this.locks.acquire(lockOfOrder())) {
			assertThat(this.node.addItem(this.order, 250).join()).isEqualTo(new Answer.Refused(this.order));
		}
		assertThat(read()).isEqualTo(State.EMPTY);
	}

	/**
	 * An administrator releases the lock after the order was read, as if the lease had
	 * ended, and another node adds an item.
	 */
	@Test
	void noItemIsLostIfTheLockIsTakenOverInTheMiddleOfACall(@Autowired LockClientBuilder builder) throws Exception {
		AtomicReference<CompletableFuture<OrderResponse>> next = new AtomicReference<>();
		try (LockClient otherNode = builder.build()) {
			willAnswer((call) -> {
				this.locks.forceRelease(lockOfOrder(), this.locks.find(lockOfOrder()).orElseThrow().ownerName());
				HeldLock lock = otherNode.acquire(lockOfOrder());
				next.set(CompletableFuture.supplyAsync(() -> addItemUnder(lock)));
				// Without the guard, this commits now. With it, it waits for the row.
				next.get().copy().completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
				return null;
			}).willDoNothing().given(this.warehouse).reserve();

			assertThat(this.node.addItem(this.order, 100).join()).isInstanceOf(Answer.Added.class);
			assertThat(next.get().join()).isEqualTo(new OrderResponse(this.order, 2, 350));
		}
		assertThat(read()).isEqualTo(new State(2, 350));
	}

	private OrderResponse addItemUnder(HeldLock lock) {
		try (LockContext.Scope scope = LockContext.open(this.locks, lock)) {
			return this.orders.addItem(this.order, new Item(250));
		}
	}

	private State read() throws Exception {
		Map<Long, State> orders = this.node.read(List.of(this.order)).orders();
		return orders.get(this.order);
	}

	private LockKey lockOfOrder() {
		return LockKey.of("order:" + this.order);
	}

}

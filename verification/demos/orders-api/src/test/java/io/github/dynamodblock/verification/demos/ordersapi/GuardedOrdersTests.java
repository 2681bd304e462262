/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.verification.harness.ApplicationNode;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two nodes with orders in DynamoDB. An administrator's release replaces the pause after
 * which another node takes the lock over.
 */
@TestInstance(Lifecycle.PER_CLASS)
class GuardedOrdersTests {

	private static final int REQUESTS = 40;

	private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

	private final EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();

	private final OrderTable orders = new OrderTable(this.dynamoDb.client(), true);

	private ConfigurableApplicationContext first;

	private ConfigurableApplicationContext second;

	@BeforeAll
	void start() {
		this.first = startNode();
		this.second = startNode();
	}

	@AfterAll
	void stop() {
		this.first.close();
		this.second.close();
		this.dynamoDb.close();
	}

	@BeforeEach
	void createTable() {
		this.orders.create();
	}

	@AfterEach
	void deleteTable() {
		this.dynamoDb.client().deleteTable((table) -> table.tableName(OrderTable.NAME));
	}

	@Test
	void updatesOfOneOrderThroughTwoNodesAreAllKept() throws Exception {
		List<NodeClient> nodes = List.of(client("first", this.first), client("second", this.second));
		long order = this.orders.openOrder(nodes.get(0));
		List<CompletableFuture<Answer>> answers = new ArrayList<>();
		for (int i = 0; i < REQUESTS; i++) {
			answers.add(nodes.get(i % 2).addItem(order, 1 + i));
		}
		Verdict verdict = check(answers.stream().map(CompletableFuture::join).toList(), nodes.get(1), order);
		assertThat(verdict.line()).startsWith("OK requests: 40, added: 40, refused: 0, lost updates: 0");
	}

	@Test
	void theWriteOfAFormerHolderIsRefused() throws Exception {
		NodeClient holder = client("first", this.first);
		NodeClient other = client("second", this.second);
		long order = this.orders.openOrder(holder);
		this.first.publishEvent(new ApplicationNode.Order(WriteInterceptor.HOLD_BACK));
		assertReported(WriteInterceptor.HOLDS_BACK);
		CompletableFuture<Answer> late = holder.addItem(order, 1);
		assertReported(WriteInterceptor.WRITES);
		LockClient locks = this.second.getBean(LockClient.class);
		LockKey key = LockKey.of("order:" + order);
		locks.forceRelease(key, locks.find(key).orElseThrow().ownerName());
		Answer added = other.addItem(order, 2).join();
		this.first.publishEvent(new ApplicationNode.Order(WriteInterceptor.SEND));

		Verdict verdict = check(List.of(added, late.join()), other, order);
		assertThat(verdict.line()).startsWith("OK requests: 2, added: 1, refused: 1, lost updates: 0");
		assertThat(this.events.poll(30, TimeUnit.SECONDS)).extracting(Event::what, Event::subject)
			.containsExactly(WriteInterceptor.CANCELLED, "None,ConditionalCheckFailed");
	}

	private void assertReported(String what) throws InterruptedException {
		assertThat(this.events.poll(30, TimeUnit.SECONDS)).extracting(Event::what).isEqualTo(what);
	}

	private Verdict check(List<Answer> answers, NodeClient node, long order) throws Exception {
		return OrderChecker.check(answers, this.orders.read(), List.of(node.read(List.of(order))));
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private ConfigurableApplicationContext startNode() {
		List<String> properties = new ArrayList<>(OrderStore.PROPERTIES);
		properties.addAll(this.orders.properties());
		properties.addAll(List.of("--server.address=127.0.0.1", "--server.port=0"));
		properties.removeIf((property) -> property.startsWith("--dynamodb-lock.lease-duration"));
		properties.add("--dynamodb-lock.lease-duration=1m");
		return ApplicationNode
			.application(new Reporter("node", this.events::add), this.orders.sources().toArray(Class<?>[]::new))
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> this.dynamoDb.newClient((client) -> {
					})))
			.run(properties.toArray(String[]::new));
	}

	private static NodeClient client(String name, ConfigurableApplicationContext node) {
		return new NodeClient(name,
				"http://127.0.0.1:" + node.getEnvironment().getRequiredProperty("local.server.port"));
	}

}

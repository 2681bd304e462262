/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.samples.demo.ApplicationNode;
import io.github.dynamodblock.samples.demo.Event;
import io.github.dynamodblock.samples.demo.Reporter;
import io.github.dynamodblock.samples.demo.Verdict;
import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two nodes with orders in DynamoDB. An administrator's release replaces the pause after
 * which another node takes the lock over.
 */
class GuardedOrdersTests {

	private static final int REQUESTS = 40;

	private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

	private EmbeddedDynamoDb dynamoDb;

	@BeforeEach
	void start() {
		this.dynamoDb = EmbeddedDynamoDb.start();
		new OrderTable(this.dynamoDb.client(), true).create();
	}

	@AfterEach
	void stop() {
		this.dynamoDb.close();
	}

	@Test
	void updatesOfOneOrderThroughTwoNodesAreAllKept() throws Exception {
		try (ConfigurableApplicationContext first = startNode(true);
				ConfigurableApplicationContext second = startNode(true)) {
			List<NodeClient> nodes = List.of(client("first", first), client("second", second));
			long order = nodes.get(0).openOrder();
			List<CompletableFuture<Answer>> answers = new ArrayList<>();
			for (int i = 0; i < REQUESTS; i++) {
				answers.add(nodes.get(i % 2).addItem(order, 1 + i));
			}
			Verdict verdict = check(answers.stream().map(CompletableFuture::join).toList(), nodes.get(1), order);
			assertThat(verdict.line()).startsWith("OK requests: 40, added: 40, refused: 0, lost updates: 0");
		}
	}

	@Test
	void theWriteOfAFormerHolderIsRefused() throws Exception {
		Verdict verdict = writeLate(true);

		assertThat(verdict.line()).startsWith("OK requests: 2, added: 1, refused: 1, lost updates: 0");
		assertThat(this.events.poll(30, TimeUnit.SECONDS)).extracting(Event::what, Event::subject)
			.containsExactly(WriteInterceptor.CANCELLED, "None,ConditionalCheckFailed");
	}

	@Test
	void withoutTheGuardTheWriteOfAFormerHolderOverwritesAnUpdate() throws Exception {
		Verdict verdict = writeLate(false);

		assertThat(verdict.line()).startsWith("FAILED lost updates: 1 of 2");
	}

	private Verdict writeLate(boolean guard) throws Exception {
		try (ConfigurableApplicationContext first = startNode(guard);
				ConfigurableApplicationContext second = startNode(guard)) {
			NodeClient holder = client("first", first);
			NodeClient other = client("second", second);
			long order = holder.openOrder();
			first.publishEvent(new ApplicationNode.Order(WriteInterceptor.HOLD_BACK));
			assertReported(WriteInterceptor.HOLDS_BACK);
			CompletableFuture<Answer> late = holder.addItem(order, 1);
			assertReported(WriteInterceptor.WRITES);
			LockClient locks = second.getBean(LockClient.class);
			LockKey key = LockKey.of("order:" + order);
			locks.forceRelease(key, locks.find(key).orElseThrow().ownerName());
			Answer added = other.addItem(order, 2).join();
			first.publishEvent(new ApplicationNode.Order(WriteInterceptor.SEND));
			return check(List.of(added, late.join()), other, order);
		}
	}

	private void assertReported(String what) throws InterruptedException {
		assertThat(this.events.poll(30, TimeUnit.SECONDS)).extracting(Event::what).isEqualTo(what);
	}

	private Verdict check(List<Answer> answers, NodeClient node, long order) throws Exception {
		Stored stored = new OrderTable(this.dynamoDb.client(), true).read();
		return OrderChecker.check(answers, stored, List.of(node.read(List.of(order))));
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private ConfigurableApplicationContext startNode(boolean guard) {
		List<String> properties = new ArrayList<>(new OrderTable(this.dynamoDb.client(), guard).properties());
		properties.addAll(List.of("--server.address=127.0.0.1", "--server.port=0"));
		properties.removeIf((property) -> property.startsWith("--dynamodb-lock.lease-duration"));
		properties.add("--dynamodb-lock.lease-duration=1m");
		return ApplicationNode
			.application(new Reporter("node", this.events::add), OrdersApiApplication.class, WriteInterceptor.class)
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

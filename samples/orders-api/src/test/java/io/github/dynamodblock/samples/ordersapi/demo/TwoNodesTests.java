/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.samples.demo.DemoFailedException;
import io.github.dynamodblock.samples.demo.Verdict;
import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@TestInstance(Lifecycle.PER_CLASS)
class TwoNodesTests {

	private static final int REQUESTS = 40;

	private EmbeddedDynamoDb dynamoDb;

	@BeforeAll
	void start() {
		this.dynamoDb = EmbeddedDynamoDb.start();
	}

	@AfterAll
	void stop() {
		this.dynamoDb.close();
	}

	@Test
	void updatesOfOneOrderThroughTwoNodesAreAllKept() throws Exception {
		Verdict verdict = update(true);

		assertThat(verdict.line()).startsWith("OK requests: 40, added: 40, refused: 0, lost updates: 0");
	}

	@Test
	void withoutTheLockUpdatesAreLost() throws Exception {
		Verdict verdict = update(false);

		assertThat(verdict.line()).matches("FAILED lost updates: [1-9]\\d* of 40, .*");
	}

	private Verdict update(boolean lock) throws IOException, InterruptedException, DemoFailedException {
		String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=60000";
		try (ConfigurableApplicationContext first = startNode(database, lock);
				ConfigurableApplicationContext second = startNode(database, lock)) {
			List<NodeClient> nodes = List.of(client("first", first), client("second", second));
			long order = nodes.get(0).openOrder();
			List<CompletableFuture<Answer>> answers = new ArrayList<>();
			for (int i = 0; i < REQUESTS; i++) {
				answers.add(nodes.get(i % 2).addItem(order, 1 + i));
			}
			List<Answer> all = answers.stream().map(CompletableFuture::join).toList();
			return OrderChecker.check(all, nodes.get(0).read(List.of(order)),
					List.of(nodes.get(1).read(List.of(order))));
		}
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private ConfigurableApplicationContext startNode(String database, boolean lock) {
		return new SpringApplicationBuilder(OrdersApiApplication.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> this.dynamoDb.newClient((client) -> {
					})))
			.run("--server.address=127.0.0.1", "--server.port=0", "--spring.datasource.url=" + database,
					"--dynamodb-lock.lease-duration=1m", "--dynamodb-lock.enabled=" + lock);
	}

	private static NodeClient client(String name, ConfigurableApplicationContext node) {
		return new NodeClient(name,
				"http://127.0.0.1:" + node.getEnvironment().getRequiredProperty("local.server.port"));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.verification.harness.Verdict;
import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class TwoNodesTests {

	private static final int REQUESTS = 40;

	@Test
	void updatesOfOneOrderThroughTwoNodesAreAllKept() throws Exception {
		String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";LOCK_TIMEOUT=60000";
		try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start();
				ConfigurableApplicationContext first = startNode(dynamoDb, database);
				ConfigurableApplicationContext second = startNode(dynamoDb, database)) {
			List<NodeClient> nodes = List.of(client("first", first), client("second", second));
			long order = nodes.get(0).openOrder();
			List<CompletableFuture<Answer>> answers = new ArrayList<>();
			for (int i = 0; i < REQUESTS; i++) {
				answers.add(nodes.get(i % 2).addItem(order, 1 + i));
			}
			List<Answer> all = answers.stream().map(CompletableFuture::join).toList();
			assertThat(OrderChecker.all(Answer.Added.class, all)).extracting(Answer.Added::token).doesNotContainNull();
			Verdict verdict = OrderChecker.check(all, nodes.get(0).read(List.of(order)),
					List.of(nodes.get(1).read(List.of(order))));
			assertThat(verdict.line()).startsWith("OK requests: 40, added: 40, refused: 0, lost updates: 0");
		}
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	private static ConfigurableApplicationContext startNode(EmbeddedDynamoDb dynamoDb, String database) {
		return new SpringApplicationBuilder(OrdersApiApplication.class, ObservedOrders.class, Warehouse.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> dynamoDb.newClient((client) -> {
					})))
			.run("--server.address=127.0.0.1", "--server.port=0", "--spring.datasource.url=" + database,
					"--dynamodb-lock.lease-duration=1m", "--dynamodb-lock.wait-time=1m",
					"--dynamodb-lock.table.create=if-missing");
	}

	private static NodeClient client(String name, ConfigurableApplicationContext node) {
		return new NodeClient(name,
				"http://127.0.0.1:" + node.getEnvironment().getRequiredProperty("local.server.port"));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import io.github.dynamodblock.verification.harness.Console;
import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DemoRunner;
import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.verification.harness.NodeProcess;
import io.github.dynamodblock.verification.harness.Verdict;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.core.env.PropertyResolver;

/**
 * Sends many requests at once to two nodes of the application.
 */
public final class OrdersDemo {

	/** What the cheapest item costs; no two items cost the same. */
	private static final long CHEAPEST_CENTS = 100;

	private static final String ROW = "%-6s  %-24s  %-24s  %-24s  %-24s";

	private final Options options;

	private final Demo demo;

	private OrdersDemo(Options options, Demo demo) {
		this.options = options;
		this.demo = demo;
	}

	/**
	 * Runs the demo and exits this process.
	 * @param args {@code --requests=NUMBER}, {@code --orders=NUMBER}, {@code --store=
	 * NAME}, {@code --without-lock}, {@code --without-guard}, {@code --logs=FOLDER}
	 */
	public static void main(String[] args) throws InterruptedException {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, OrdersDemo::prepare);
	}

	static DemoRunner.Script prepare(PropertyResolver commandLine) {
		Options options = Options.read(commandLine);
		return (demo) -> new OrdersDemo(options, demo).run();
	}

	private Verdict run() throws IOException, InterruptedException, DemoFailedException {
		if (!this.options.dynamoDb()) {
			String url = this.demo.startServer("h2", "128m", OrderDatabase.class).awaitReady();
			this.demo.startDynamoDb();
			return run(new OrderDatabase(url));
		}
		try (DynamoDbClient dynamoDb = DynamoDbLocal.client(this.demo.startDynamoDb())) {
			OrderTable table = new OrderTable(dynamoDb, this.options.guard());
			table.create();
			return run(table);
		}
	}

	private Verdict run(OrderStore store) throws IOException, InterruptedException, DemoFailedException {
		NodeProcess first = startNode("node-1", store);
		NodeProcess second = startNode("node-2", store);
		List<NodeClient> nodes = List.of(awaitNode(first), awaitNode(second));
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < this.options.orders(); i++) {
			ids.add(store.openOrder(nodes.get(i % nodes.size())));
		}
		say(this.options.requests() + " requests at once, to both nodes, for " + this.options.orders() + " orders, "
				+ (this.options.lock() ? "each under its order's lock" : "WITHOUT A LOCK"));
		List<Answer> answers = addItems(nodes, ids);
		StoppedHolder stopped = new StoppedHolder(this.demo, nodes);
		if (this.options.dynamoDb()) {
			answers.addAll(stopped.run(ids.get(0), CHEAPEST_CENTS + answers.size()));
		}
		Stored stored = store.read();
		List<Stored> readFromNodes = new ArrayList<>();
		for (NodeClient node : nodes) {
			readFromNodes.add(node.read(ids));
		}
		printOrders(answers, stored, readFromNodes);
		printOperations(nodes);
		Verdict verdict = OrderChecker.check(answers, stored, readFromNodes);
		return (verdict.passed() && this.options.dynamoDb()) ? verdict.and(Verdict.ok(stopped.figures()), "; ")
				: verdict;
	}

	private NodeProcess startNode(String name, OrderStore store) throws IOException {
		List<Class<?>> sources = new ArrayList<>(store.sources());
		List<String> properties = new ArrayList<>(OrderStore.PROPERTIES);
		properties.addAll(store.properties());
		if (!this.options.lock()) {
			sources.add(UnlockedRequests.class);
			properties.add("--dynamodb-lock.enabled=false");
		}
		return this.demo.startNode(name, "192m", sources, properties.toArray(String[]::new));
	}

	private NodeClient awaitNode(NodeProcess process) throws IOException, InterruptedException, DemoFailedException {
		String address = process.awaitReady();
		say(process.name() + " is up at " + address + " (process " + process.pid() + ")");
		for (String warning : process.warnings()) {
			say(process.name() + " warns: " + warning);
		}
		return new NodeClient(process.name(), address);
	}

	private List<Answer> addItems(List<NodeClient> nodes, List<Long> ids)
			throws IOException, InterruptedException, DemoFailedException {
		Instant start = Instant.now();
		CountDownLatch half = new CountDownLatch(this.options.requests() / 2);
		List<CompletableFuture<Answer>> answers = new ArrayList<>();
		for (int i = 0; i < this.options.requests(); i++) {
			long order = ids.get(i % ids.size());
			NodeClient node = nodes.get((i / ids.size()) % nodes.size());
			answers.add(node.addItem(order, CHEAPEST_CENTS + i).whenComplete((answer, ex) -> half.countDown()));
		}
		half.await();
		printLocks("after half of the answers", nodes);
		List<Answer> all = new ArrayList<>();
		for (CompletableFuture<Answer> answer : answers) {
			try {
				all.add(answer.get());
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("An answer is a value also when a request fails", ex);
			}
		}
		say(String.format(Locale.ROOT, "All were answered within %.1f s",
				Duration.between(start, Instant.now()).toMillis() / 1e3));
		return all;
	}

	private void printOrders(List<Answer> answers, Stored database, List<Stored> nodes) {
		List<Stored> places = new ArrayList<>(nodes);
		places.add(0, database);
		printRow("order", "acknowledged", places.stream().map(Stored::place));
		OrderChecker.acknowledged(answers)
			.forEach((order, state) -> printRow(order, state, places.stream().map((place) -> place.order(order))));
	}

	private void printRow(Object order, Object acknowledged, Stream<?> stored) {
		say(Console.row(ROW, Stream.concat(Stream.of(order, acknowledged), stored).toArray()));
	}

	private void printOperations(List<NodeClient> nodes) throws IOException, InterruptedException, DemoFailedException {
		say("/actuator/metrics at the end:");
		for (NodeClient node : nodes) {
			for (String line : Operations.meters(node)) {
				say("  " + node.name() + "  " + line);
			}
		}
		printLocks("at the end", nodes);
	}

	private void printLocks(String when, List<NodeClient> nodes)
			throws IOException, InterruptedException, DemoFailedException {
		say("/actuator/locks " + when + ":");
		for (NodeClient node : nodes) {
			say("  " + node.name() + "  " + Operations.locks(node));
		}
	}

	private void say(String line) {
		this.demo.console().say(line);
	}

	/**
	 * What to run.
	 *
	 * @param requests how many requests are sent at once
	 * @param orders how many orders they are for
	 * @param dynamoDb whether the orders are in DynamoDB, and not in H2
	 * @param lock whether the nodes use their lock
	 * @param guard whether writes to DynamoDB have a condition on their lock
	 */
	private record Options(int requests, int orders, boolean dynamoDb, boolean lock, boolean guard) {

		static Options read(PropertyResolver options) {
			return new Options(options.getProperty("requests", Integer.class, 200),
					options.getProperty("orders", Integer.class, 5), "dynamodb".equals(options.getProperty("store")),
					!options.containsProperty("without-lock"), !options.containsProperty("without-guard"));
		}

	}

}

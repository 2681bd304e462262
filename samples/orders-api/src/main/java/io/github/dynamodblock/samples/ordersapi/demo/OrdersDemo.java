/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.demo;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import io.github.dynamodblock.samples.demo.CommandLine;
import io.github.dynamodblock.samples.demo.Console;
import io.github.dynamodblock.samples.demo.Demo;
import io.github.dynamodblock.samples.demo.DemoFailedException;
import io.github.dynamodblock.samples.demo.DemoRunner;
import io.github.dynamodblock.samples.demo.NodeProcess;
import io.github.dynamodblock.samples.demo.Verdict;
import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;

/**
 * Sends many requests at once to two nodes of the application.
 */
public final class OrdersDemo {

	static final int MOST_REQUESTS = 1000;

	/** What the cheapest item costs; no two items cost the same. */
	private static final long CHEAPEST_CENTS = 100;

	private static final String ROW = "%-6s  %-24s  %-24s  %-24s  %-24s";

	private final int requests;

	private final int orders;

	private final boolean lock;

	private final Demo demo;

	private OrdersDemo(int requests, int orders, boolean lock, Demo demo) {
		this.requests = requests;
		this.orders = orders;
		this.lock = lock;
		this.demo = demo;
	}

	/**
	 * Runs the demo and exits this process.
	 * @param args {@code --requests NUMBER}, {@code --orders NUMBER},
	 * {@code --without-lock}, {@code --logs FOLDER}
	 */
	public static void main(String[] args) {
		DemoRunner.run(args, DemoRunner.STATUS_FAILED, OrdersDemo::prepare);
	}

	static DemoRunner.Script prepare(CommandLine options) {
		int requests = options.number("--requests", 200, 2, MOST_REQUESTS);
		int orders = options.number("--orders", 5, 1, requests);
		boolean lock = !options.flag("--without-lock");
		return (demo) -> new OrdersDemo(requests, orders, lock, demo).run();
	}

	private Verdict run() throws IOException, InterruptedException, DemoFailedException {
		String url = this.demo.startServer("h2", "128m", OrderDatabase.class).awaitReady();
		this.demo.startDynamoDb();
		NodeProcess first = startNode("node-1", url);
		NodeProcess second = startNode("node-2", url);
		List<NodeClient> nodes = List.of(awaitNode(first), awaitNode(second));
		List<Long> ids = new ArrayList<>();
		for (int i = 0; i < this.orders; i++) {
			ids.add(nodes.get(i % nodes.size()).openOrder());
		}
		say(this.requests + " requests at once, to both nodes, for " + this.orders + " orders, "
				+ (this.lock ? "each under its order's lock" : "WITHOUT A LOCK"));
		List<Answer> answers = addItems(nodes, ids);
		Stored database = readDatabase(url);
		List<Stored> readFromNodes = new ArrayList<>();
		for (NodeClient node : nodes) {
			readFromNodes.add(node.read(ids));
		}
		printOrders(answers, database, readFromNodes);
		printOperations(nodes);
		return OrderChecker.check(answers, database, readFromNodes);
	}

	private NodeProcess startNode(String name, String url) throws IOException {
		return this.demo.startNode(name, "192m", List.of(OrdersApiApplication.class), "--spring.datasource.url=" + url,
				"--spring.datasource.username=" + OrderDatabase.USER, "--dynamodb-lock.enabled=" + this.lock);
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
		CountDownLatch half = new CountDownLatch(this.requests / 2);
		List<CompletableFuture<Answer>> answers = new ArrayList<>();
		for (int i = 0; i < this.requests; i++) {
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

	private static Stored readDatabase(String url) throws DemoFailedException {
		try {
			return OrderDatabase.read(url);
		}
		catch (SQLException ex) {
			throw new DemoFailedException("the database cannot be read: " + ex);
		}
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

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.trial;

import java.io.IOException;
import java.io.PrintStream;
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

import io.github.dynamodblock.samples.ordersapi.OrdersApiApplication;
import io.github.dynamodblock.samples.support.DynamoDbLocal;
import io.github.dynamodblock.samples.support.ForegroundRun;
import io.github.dynamodblock.samples.support.RunFailedException;
import io.github.dynamodblock.samples.support.ServerProcess;

/**
 * Sends many requests at once to two nodes of the application, and ends with a verdict.
 */
public final class Trial {

	private static final int STATUS_USAGE = 2;

	/** What the cheapest item costs; no two items of a trial cost the same. */
	private static final long CHEAPEST_CENTS = 100;

	private final Options options;

	private final PrintStream out = System.out;

	private Trial(Options options) {
		this.options = options;
	}

	/**
	 * Runs the trial and ends this process.
	 * @param args {@code --requests NUMBER}, {@code --orders NUMBER},
	 * {@code --without-lock}, {@code --logs FOLDER}
	 */
	public static void main(String[] args) {
		System.exit(run(args));
	}

	private static int run(String[] args) {
		Options options;
		try {
			options = Options.parse(args);
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			return STATUS_USAGE;
		}
		Trial trial = new Trial(options);
		return ForegroundRun.run(trial::run, trial.out::println);
	}

	private boolean run() throws IOException, InterruptedException, RunFailedException {
		ForegroundRun.prepareLogs(this.options.logs());
		try (ServerProcess database = OrderDatabase.start(this.options.logs());
				ServerProcess dynamoDb = DynamoDbLocal.start(this.options.logs())) {
			String url = database.awaitAddress();
			String endpoint = dynamoDb.awaitAddress();
			this.out.println(
					"H2 and DynamoDB Local are up; logs are in " + this.options.logs().toAbsolutePath().normalize());
			try (ServerProcess first = startNode("node-1", url, endpoint);
					ServerProcess second = startNode("node-2", url, endpoint)) {
				return run(List.of(awaitNode(first), awaitNode(second)), url);
			}
		}
	}

	private ServerProcess startNode(String name, String url, String endpoint) throws IOException {
		List<String> arguments = List.of("--trial.node=true", "--server.address=127.0.0.1", "--server.port=0",
				"--spring.datasource.url=" + url, "--spring.datasource.username=" + OrderDatabase.USER,
				"--dynamodb-lock.owner-name=" + name, "--dynamodb-lock.dynamodb.endpoint=" + endpoint,
				"--dynamodb-lock.dynamodb.region=local", "--dynamodb-lock.enabled=" + this.options.lock());
		return ServerProcess.start(name, this.options.logs(), "192m", OrdersApiApplication.class, arguments);
	}

	private Node awaitNode(ServerProcess process) throws IOException, InterruptedException, RunFailedException {
		String address = process.awaitAddress();
		this.out.println(process.name() + " is up at " + address + " (process " + process.pid() + ")");
		for (String warning : process.warnings()) {
			this.out.println(process.name() + " warns: " + warning);
		}
		return new Node(process.name(), address);
	}

	private boolean run(List<Node> nodes, String url) throws IOException, InterruptedException, RunFailedException {
		List<Long> orders = new ArrayList<>();
		for (int i = 0; i < this.options.orders(); i++) {
			orders.add(nodes.get(i % nodes.size()).openOrder());
		}
		this.out.println(this.options.requests() + " requests at once, to both nodes, for " + orders.size()
				+ " orders, " + (this.options.lock() ? "each under its order's lock" : "WITHOUT A LOCK"));
		List<Answer> answers = addItems(nodes, orders);
		Stored database = readDatabase(url);
		List<Stored> ofNodes = new ArrayList<>();
		for (Node node : nodes) {
			ofNodes.add(node.read(orders));
		}
		show(answers, database, ofNodes);
		showOperations(nodes);
		Verdict verdict = Verdict.of(answers, database, ofNodes);
		this.out.println(verdict.line());
		return verdict.passed();
	}

	private List<Answer> addItems(List<Node> nodes, List<Long> orders)
			throws IOException, InterruptedException, RunFailedException {
		Instant start = Instant.now();
		CountDownLatch half = new CountDownLatch(this.options.requests() / 2);
		List<CompletableFuture<Answer>> answers = new ArrayList<>();
		for (int i = 0; i < this.options.requests(); i++) {
			long order = orders.get(i % orders.size());
			Node node = nodes.get((i / orders.size()) % nodes.size());
			answers.add(node.addItem(order, CHEAPEST_CENTS + i).whenComplete((answer, ex) -> half.countDown()));
		}
		half.await();
		showLocks("after half of the answers", nodes);
		List<Answer> all = new ArrayList<>();
		for (CompletableFuture<Answer> answer : answers) {
			try {
				all.add(answer.get());
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("An answer is a value also when a request fails", ex);
			}
		}
		this.out.println(String.format(Locale.ROOT, "All were answered within %.1f s",
				Duration.between(start, Instant.now()).toMillis() / 1e3));
		return all;
	}

	private static Stored readDatabase(String url) throws RunFailedException {
		try {
			return OrderDatabase.read(url);
		}
		catch (SQLException ex) {
			throw new RunFailedException("the database cannot be read: " + ex);
		}
	}

	private void show(List<Answer> answers, Stored database, List<Stored> nodes) {
		List<Stored> places = new ArrayList<>(nodes);
		places.add(0, database);
		showRow("order", "acknowledged", places.stream().map(Stored::place));
		Verdict.acknowledged(answers)
			.forEach((order, state) -> showRow(order, state, places.stream().map((place) -> place.order(order))));
	}

	private void showRow(Object order, Object acknowledged, Stream<?> stored) {
		StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-6s", order));
		Stream.concat(Stream.of(acknowledged), stored)
			.forEach((cell) -> row.append(String.format(Locale.ROOT, "  %-24s", cell)));
		this.out.println(row.toString().stripTrailing());
	}

	private void showOperations(List<Node> nodes) throws IOException, InterruptedException, RunFailedException {
		this.out.println("/actuator/metrics at the end:");
		for (Node node : nodes) {
			for (String line : Operations.meters(node)) {
				this.out.println("  " + node.name() + "  " + line);
			}
		}
		showLocks("at the end", nodes);
	}

	private void showLocks(String when, List<Node> nodes) throws IOException, InterruptedException, RunFailedException {
		this.out.println("/actuator/locks " + when + ":");
		for (Node node : nodes) {
			this.out.println("  " + node.name() + "  " + Operations.locks(node));
		}
	}

}

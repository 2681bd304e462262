/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.jobs.node.TrialNode;

/**
 * The nodes of one trial, which share a lock table. Used by one thread.
 */
final class Nodes {

	/** How long a lock outlives the last heartbeat of a node that was killed. */
	static final Duration LEASE = Duration.ofSeconds(3);

	static final Duration HEARTBEAT = Duration.ofMillis(750);

	/** The end of the name of a node with the other version of the library. */
	private static final String PREVIOUS = "-previous";

	/** How much the clocks of two nodes differ. */
	private static final Duration CLOCK_STEP = Duration.ofMillis(100);

	private static final Duration SOON = Duration.ofSeconds(45);

	private static final Duration END_TIME = Duration.ofSeconds(25);

	private final History history = new History();

	private final Demo demo;

	private final String trial;

	private final Library library;

	private final List<Class<?>> application;

	private final List<String> properties;

	private int started;

	/**
	 * Prepares nodes.
	 * @param demo starts and ends their processes
	 * @param trial the name of the trial
	 * @param library what gives jobs their locks
	 */
	Nodes(Demo demo, String trial, Library library, List<Class<?>> application, String... properties) {
		this.demo = demo;
		this.library = library;
		this.trial = trial;
		this.application = new ArrayList<>(List.of(TrialNode.class));
		this.application.addAll(application);
		this.properties = new ArrayList<>(List.of("--dynamodb-lock.enabled=" + library.locked(),
				"--dynamodb-lock.table.name=" + trial, "--dynamodb-lock.table.create=if-missing",
				"--dynamodb-lock.lease-duration=" + LEASE.toMillis() + "ms",
				"--dynamodb-lock.heartbeat-period=" + HEARTBEAT.toMillis() + "ms",
				"--spring.task.scheduling.pool.size=4"));
		this.properties.addAll(List.of(properties));
		demo.listen(this.history::add);
	}

	History history() {
		return this.history;
	}

	/** Returns whether a node runs the other version of the library. */
	static boolean isPrevious(String node) {
		return node.endsWith(PREVIOUS);
	}

	/**
	 * Starts nodes whose clocks differ: the first one's is furthest ahead, the last one's
	 * least. They win ticks from nodes that start later, whose clocks are right.
	 * @return a time at which all nodes were up; the ticks after it are later by the
	 * clock of each node than its start
	 */
	Instant start(int number) throws IOException, InterruptedException, DemoFailedException {
		for (int i = number; i > 0; i--) {
			start(CLOCK_STEP.multipliedBy(i));
		}
		this.demo.awaitNodes();
		return Instant.now().plus(CLOCK_STEP.multipliedBy(number));
	}

	/** Starts a node with the right clock, and does not wait for it. */
	void start() throws IOException {
		start(Duration.ZERO);
	}

	private void start(Duration clockAhead) throws IOException {
		this.started++;
		List<String> all = new ArrayList<>(this.properties);
		all.add("--" + TrialNode.CLOCK_AHEAD + "=" + clockAhead.toMillis() + "ms");
		String previous = (this.started % 2 == 0) ? this.library.previousClassPath() : null;
		String name = this.trial + "-" + this.started + ((previous != null) ? PREVIOUS : "");
		this.demo.startNode(name, "96m", (previous != null) ? previous : System.getProperty("java.class.path"),
				this.application, all.toArray(String[]::new));
	}

	/** Returns the names of the nodes that run or start. */
	List<String> names() {
		return this.demo.nodes().stream().sorted().toList();
	}

	/** Sends an order to a node. */
	void order(String node, String order) throws IOException {
		this.demo.node(node).send(order);
	}

	/**
	 * Kills a node by {@code kill -9}, and waits until it has ended.
	 * @return the time just before the signal
	 */
	Instant kill(String node) throws InterruptedException, DemoFailedException {
		Instant time = Instant.now();
		this.demo.node(node).kill();
		awaitEnd(node);
		return time;
	}

	/**
	 * Sends SIGTERM to a node.
	 * @return the time just before the signal
	 */
	Instant terminate(String node) {
		Instant time = Instant.now();
		this.demo.node(node).terminate();
		return time;
	}

	/** Waits until a node has ended. */
	void awaitEnd(String node) throws InterruptedException, DemoFailedException {
		this.demo.await(END_TIME, node + " did not end", () -> !this.demo.nodes().contains(node));
	}

	/** Waits until all nodes that were started are up. */
	void awaitNodes() throws InterruptedException, DemoFailedException {
		this.demo.awaitNodes();
	}

	/**
	 * Waits for a condition.
	 * @param otherwise what to report if it does not come to hold
	 */
	void await(String otherwise, BooleanSupplier condition) throws InterruptedException, DemoFailedException {
		this.demo.await(SOON, otherwise, condition);
	}

	/**
	 * Waits for a value.
	 * @param otherwise what to report if there is none
	 */
	<T> T awaitValue(String otherwise, Supplier<Optional<T>> value) throws InterruptedException, DemoFailedException {
		List<T> found = new ArrayList<>();
		await(otherwise, () -> {
			value.get().ifPresent(found::add);
			return !found.isEmpty();
		});
		return found.get(0);
	}

	/** Lets time pass. */
	void pass(Duration time) throws InterruptedException, DemoFailedException {
		this.demo.proceed(time, () -> false);
	}

	/** Kills all nodes. What they report after this is not checked. */
	void end() throws InterruptedException, DemoFailedException {
		this.demo.listen((event) -> {
		});
		for (String node : names()) {
			this.demo.node(node).kill();
		}
		// A node that ended on its own, which has failed the trial, stays in the list.
		this.demo.proceed(END_TIME, () -> this.demo.nodes().isEmpty());
	}

}

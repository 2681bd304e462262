/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.NodeProcess;

/** The processes of one check, and what they report. */
final class Nodes implements AutoCloseable {

	/** Longer than anything takes that these processes are ordered to do. */
	static final Duration SOON = Duration.ofSeconds(90);

	private final RunContext context;

	private final Demo demo;

	private final String table;

	private final Duration lease;

	private final List<Event> events = new ArrayList<>();

	/**
	 * Prepares processes.
	 * @param table the lock table of all of them
	 * @param lease the lease of their locks
	 */
	Nodes(RunContext context, String table, Duration lease) {
		this.context = context;
		this.demo = context.demo();
		this.table = table;
		this.lease = lease;
		this.demo.listen(this::take);
	}

	private void take(Event event) {
		if (event.is(LockNode.CALLED)) {
			LockNode.count(event, this.context.meter());
		}
		else {
			this.events.add(event);
		}
	}

	/** Starts processes, and waits until they are up. */
	void start(String... names) throws IOException, InterruptedException, DemoFailedException {
		for (String name : names) {
			List<String> command = new ArrayList<>(this.context.target().properties());
			command.addAll(List.of(LockNode.class.getName(), this.table, Long.toString(this.lease.toMillis())));
			this.demo.startNode(name, "128m", command, this.context.target().environment());
		}
		this.demo.awaitNodes();
	}

	/** Sends an order, and does not wait for it. */
	void send(String name, String... order) throws IOException {
		this.demo.node(name).send(String.join(" ", order));
	}

	/** Waits until a process has reported something a number of times. */
	void await(String name, String what, int times) throws InterruptedException, DemoFailedException {
		next(name, what, times - 1);
	}

	/** Sends an order, and waits until its process has reported its result. */
	Event order(String name, String what, String... order)
			throws IOException, InterruptedException, DemoFailedException {
		long before = count(name, what);
		send(name, order);
		return next(name, what, before);
	}

	private Event next(String name, String what, long before) throws InterruptedException, DemoFailedException {
		this.demo.await(SOON, name + " did not report " + what,
				() -> count(name, what) > before || count(name, LockNode.FAILED) > 0);
		if (count(name, LockNode.FAILED) > 0) {
			Event failed = events(LockNode.FAILED).get(0);
			throw new DemoFailedException(failed.node() + " failed: " + failed.subject());
		}
		return events(what).stream()
			.filter((event) -> event.node().equals(name))
			.skip(before)
			.findFirst()
			.orElseThrow();
	}

	private long count(String name, String what) {
		return events(what).stream().filter((event) -> event.node().equals(name)).count();
	}

	/** Returns what was reported so far, in the order of arrival. */
	List<Event> events(String what) {
		return this.events.stream().filter((event) -> event.is(what)).toList();
	}

	/** Returns a process, which can be paused. */
	NodeProcess process(String name) {
		return this.demo.node(name);
	}

	/**
	 * Kills a process by {@code kill -9}, and waits until it has ended.
	 * @return the time just before the signal was sent
	 */
	Instant kill(String name) throws InterruptedException, DemoFailedException {
		Instant time = Instant.now();
		this.demo.node(name).kill();
		this.demo.await(SOON, name + " did not end", () -> !this.demo.nodes().contains(name));
		return time;
	}

	/** Waits for what was reported just now, so that nothing of it is missed. */
	void settle() throws InterruptedException, DemoFailedException {
		this.demo.proceed(Duration.ofMillis(100), () -> false);
	}

	/** Asks all processes to end; those that do not are killed. */
	@Override
	public void close() throws InterruptedException, DemoFailedException {
		try {
			this.demo.stopNodes();
		}
		finally {
			for (String name : this.demo.nodes()) {
				this.demo.node(name).kill();
			}
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.NodeProcess;
import io.github.dynamodblock.verification.harness.Times;
import io.github.dynamodblock.verification.demos.ordersapi.Answer.Added;
import io.github.dynamodblock.verification.demos.ordersapi.Answer.Refused;

/**
 * Stops the process of a lock's holder for two leases, after it checked its lock and
 * before its write reaches DynamoDB. Meanwhile, another node changes the same order.
 */
final class StoppedHolder {

	/** So long may a node take under load. */
	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final Demo demo;

	private final List<NodeClient> nodes;

	private boolean holdsBack;

	private boolean writes;

	private String figures = "";

	/**
	 * Creates the part of a demo.
	 * @param nodes the node that is stopped, and the other one
	 */
	StoppedHolder(Demo demo, List<NodeClient> nodes) {
		this.demo = demo;
		this.nodes = nodes;
	}

	/**
	 * Adds two items to an order: one by the node that is stopped, one by the other.
	 * @return both answers, that of the stopped node last
	 */
	List<Answer> run(long order, long cents) throws IOException, InterruptedException, DemoFailedException {
		NodeClient holder = this.nodes.get(0);
		NodeProcess process = this.demo.node(holder.name());
		this.demo.listen(this::take);
		process.send(WriteInterceptor.HOLD_BACK);
		this.demo.await(PATIENCE, holder.name() + " does not hold back its write", () -> this.holdsBack);
		CompletableFuture<Answer> late = holder.addItem(order, cents);
		this.demo.await(PATIENCE, holder.name() + " did not write", () -> this.writes);
		process.pause();
		Instant stopped = Instant.now();
		// Received when the process continues.
		process.send(WriteInterceptor.SEND);
		say("%s holds the lock of order %d, sends its write, and is STOPPED: kill -STOP %d", holder.name(), order,
				process.pid());
		Answer other = await(this.nodes.get(1).addItem(order, cents + 1));
		if (!(other instanceof Added)) {
			throw new DemoFailedException("the other node did not take the lock over: " + other);
		}
		say("%s has taken the lock over and added its item after %s", this.nodes.get(1).name(),
				Times.seconds(stopped, Instant.now()));
		Duration rest = Duration.between(Instant.now(), stopped.plus(OrderTable.LEASE.multipliedBy(2)));
		this.demo.proceed(rest, () -> false);
		process.resume();
		String time = Times.seconds(stopped, Instant.now());
		say("%s CONTINUES after %s, and its write reaches DynamoDB", holder.name(), time);
		Answer answer = await(late);
		say("%s answers that its item was %s", holder.name(), (answer instanceof Refused) ? "not added" : "added");
		this.figures = holder.name() + " was stopped for " + time
				+ " while its write was on the way; the write was refused";
		return List.of(other, answer);
	}

	/** Returns what a run that passed has shown. */
	String figures() {
		return this.figures;
	}

	private void take(Event event) {
		this.holdsBack |= event.is(WriteInterceptor.HOLDS_BACK);
		this.writes |= event.is(WriteInterceptor.WRITES);
		if (event.is(WriteInterceptor.CANCELLED)) {
			say("DynamoDB cancels the transaction of %s. The reasons of its items, the lock's item last: %s",
					event.node(), event.subject());
		}
	}

	private Answer await(CompletableFuture<Answer> answer) throws InterruptedException, DemoFailedException {
		this.demo.await(PATIENCE, "a node did not answer", answer::isDone);
		return answer.join();
	}

	private void say(String format, Object... values) {
		this.demo.console().say(String.format(Locale.ROOT, format, values));
	}

}

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
import java.util.Locale;

import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Event;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Kills holders by {@code kill -9} while another process waits. */
final class TakeoverCheck implements Check {

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final int ROUNDS = 2;

	@Override
	public String title() {
		return "Takeover after kill -9";
	}

	@Override
	public Outcome run(RunContext context) throws IOException, InterruptedException, DemoFailedException {
		String table;
		try (DynamoDbClient dynamoDb = context.newClient()) {
			table = context.createTable(dynamoDb, "takeover");
		}
		List<Duration> times = new ArrayList<>();
		List<String> violations = new ArrayList<>();
		try (Nodes nodes = new Nodes(context, table, LEASE)) {
			nodes.start("holder-0");
			Event held = nodes.order("holder-0", LockNode.GRANTED, LockNode.ACQUIRE, "lock");
			for (int round = 1; round <= ROUNDS; round++) {
				String holder = "holder-" + (round - 1);
				String waiter = "holder-" + round;
				nodes.start(waiter);
				nodes.send(waiter, LockNode.ACQUIRE, "lock");
				// Longer than a lease, so that the lock lives on by its heartbeats.
				context.demo().proceed(LEASE.multipliedBy(3).dividedBy(2), () -> false);
				if (nodes.events(LockNode.GRANTED).size() != round) {
					violations.add("A lock was taken over although its holder was alive");
				}
				Instant killed = nodes.kill(holder);
				nodes.await(waiter, LockNode.GRANTED, 1);
				Event taken = last(nodes.events(LockNode.GRANTED));
				violations.addAll(violations(held, killed, taken));
				times.add(Duration.between(killed, taken.time()));
				held = taken;
			}
		}
		String leases = times.stream()
			.map((time) -> String.format(Locale.ROOT, "%.2f", (double) time.toMillis() / LEASE.toMillis()))
			.toList()
			.toString();
		return Outcome
			.of(violations,
					ROUNDS + " holders were killed, and each time the waiting process was granted the lock with a "
							+ "greater token")
			.with(List.of("",
					"From the kill to the next grant, in leases of " + LEASE.toSeconds() + " s: "
							+ leases.substring(1, leases.length() - 1) + ". The lease counts from when the waiting "
							+ "process first sees the last heartbeat, up to a quarter of a lease before the kill."));
	}

	private static Event last(List<Event> events) {
		return events.get(events.size() - 1);
	}

	/**
	 * Judges a takeover.
	 * @param held the grant of the holder that was killed
	 * @param killed just before it was killed
	 * @param taken the next grant
	 */
	static List<String> violations(Event held, Instant killed, Event taken) {
		List<String> violations = new ArrayList<>();
		Duration time = Duration.between(killed, taken.time());
		if (time.compareTo(LEASE.dividedBy(2)) < 0) {
			violations.add(taken.node() + " was granted the lock " + time.toMillis()
					+ " ms after the kill, sooner than the lease can have ended");
		}
		if (time.compareTo(LEASE.multipliedBy(3)) > 0) {
			violations.add(taken.node() + " was granted the lock only " + time.toMillis() + " ms after the kill");
		}
		if (taken.token() <= held.token()) {
			violations.add(taken.node() + " took the lock over with token " + taken.token() + ", which does not exceed "
					+ held.token());
		}
		return violations;
	}

}

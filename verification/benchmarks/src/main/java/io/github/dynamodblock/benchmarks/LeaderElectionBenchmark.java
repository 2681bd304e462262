/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * Spring Integration's leader election, with everything at its defaults: what one leader
 * and some followers send while the leader leads.
 */
final class LeaderElectionBenchmark implements Benchmark {

	private static final String TABLE = "benchmark-leader-election";

	private static final double MOST_WRITES_OF_A_LEADER = 0.3;

	private static final double MOST_UNITS_AT_FIRST = 6;

	private static final double MOST_UNITS_OF_A_FOLLOWER = 2;

	private final int followers;

	private final Duration first;

	private final Duration then;

	/**
	 * @param followers how many nodes follow the leader
	 * @param first how long followers get to know the leader
	 * @param then for how long calls are counted then
	 */
	LeaderElectionBenchmark(int followers, Duration first, Duration then) {
		this.followers = followers;
		this.first = first;
		this.then = then;
	}

	@Override
	public List<Figure> measure(DatabaseProcess database) throws InterruptedException {
		database.createTable(TABLE);
		List<Node> nodes = new ArrayList<>();
		try {
			Node leader = new Node(database, "leader");
			nodes.add(leader);
			leader.awaitGranted();
			List<Node> others = new ArrayList<>();
			for (int number = 1; number <= this.followers; number++) {
				others.add(new Node(database, "follower-" + number));
			}
			nodes.addAll(others);
			return count(leader, others);
		}
		finally {
			nodes.forEach(Node::close);
		}
	}

	private List<Figure> count(Node leader, List<Node> others) throws InterruptedException {
		Thread.sleep(this.first.toMillis());
		double atFirst = most(others, (node) -> node.meter.units() / Units.seconds(this.first.toNanos()));
		double claims = most(others, (node) -> node.meter.writes());
		leader.meter.reset();
		others.forEach((node) -> node.meter.reset());
		long began = System.nanoTime();
		Thread.sleep(this.then.toMillis());
		double counted = Units.seconds(System.nanoTime() - began);
		double leaders = leader.meter.writes() / counted;
		double besides = leader.meter.calls() - leader.meter.writes();
		double units = most(others, (node) -> node.meter.units() / counted);
		double writes = most(others, (node) -> node.meter.writes());
		long seconds = this.then.toSeconds();
		return List
			.of(figure("writes of a leader", leaders, "a second, for " + seconds + " s", MOST_WRITES_OF_A_LEADER),
					figure("calls of a leader besides", besides, "in " + seconds + " s", 0),
					figure("cost of a follower, the first " + this.first.toSeconds() + " s", atFirst,
							"capacity units a second, " + String.format(Locale.ROOT, "%.0f", claims)
									+ " of them a write",
							MOST_UNITS_AT_FIRST),
					figure("cost of a follower then", units, "read units a second, for " + seconds + " s",
							MOST_UNITS_OF_A_FOLLOWER),
					figure("writes of a follower then", writes, "in " + seconds + " s", doublings()));
	}

	/**
	 * A follower marks the lock each time the leader's term has doubled.
	 */
	private double doublings() {
		double after = (double) this.first.plus(this.then).toMillis() / this.first.toMillis();
		return Math.ceil(Math.log(after) / Math.log(2));
	}

	private static Figure figure(String name, double measured, String unit, double most) {
		String bound = (most == Math.rint(most)) ? Long.toString((long) most) : Double.toString(most);
		return new Figure(name, String.format(Locale.ROOT, "%.2f %s", measured, unit), "at most " + bound,
				measured <= most);
	}

	private static double most(List<Node> all, ToDoubleFunction<Node> number) {
		return all.stream().mapToDouble(number).max().orElse(0);
	}

	/**
	 * A candidate that tries to lead from its beginning on.
	 */
	private static final class Node implements AutoCloseable {

		private final CallMeter meter = new CallMeter();

		private final CompletableFuture<Context> granted = new CompletableFuture<>();

		private final DynamoDbClient dynamoDb;

		private final LockClient client;

		private final LockRegistryLeaderInitiator initiator;

		Node(DatabaseProcess database, String id) {
			this.dynamoDb = database.newClient(this.meter);
			this.client = LockClient.builder(this.dynamoDb).tableName(TABLE).ownerName(id).build();
			this.initiator = new LockRegistryLeaderInitiator(new DynamoDbLockRegistry(this.client), new Candidate(id));
			this.initiator.setApplicationEventPublisher((event) -> {
			});
			this.initiator.start();
		}

		void awaitGranted() throws InterruptedException {
			try {
				this.granted.get(10, TimeUnit.SECONDS);
			}
			catch (ExecutionException | TimeoutException ex) {
				throw new IllegalStateException("The only candidate does not lead after 10 s", ex);
			}
		}

		@Override
		public void close() {
			this.initiator.stop();
			this.client.close();
			this.dynamoDb.close();
		}

		private final class Candidate extends DefaultCandidate {

			Candidate(String id) {
				super(id, "role");
			}

			@Override
			public void onGranted(Context context) {
				Node.this.granted.complete(context);
			}

			@Override
			public void onRevoked(Context context) {
				// The end of the benchmark.
			}

		}

	}

}

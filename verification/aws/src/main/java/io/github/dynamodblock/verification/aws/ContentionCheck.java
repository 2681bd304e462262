/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Event;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Lets processes contend for one lock, and checks that one at a time holds it. */
final class ContentionCheck implements Check {

	private static final String[] NODES = { "contender-1", "contender-2", "contender-3" };

	private static final Duration TIME = Duration.ofSeconds(8);

	/** Far from the Region, a lock passes on less often. */
	private static final int ROUNDS = 5;

	private static final int ENOUGH = 30;

	/** Fewer prove nothing. */
	private static final int FEWEST = 5;

	@Override
	public String title() {
		return "Contention between processes";
	}

	@Override
	public Outcome run(RunContext context) throws IOException, InterruptedException, DemoFailedException {
		String table;
		try (DynamoDbClient dynamoDb = context.newClient()) {
			table = context.createTable(dynamoDb, "contention");
		}
		try (Nodes nodes = new Nodes(context, table, Duration.ofSeconds(10))) {
			nodes.start(NODES);
			for (int round = 1; round <= ROUNDS; round++) {
				contend(nodes, round);
				if (Hold.handOffs(holds(nodes)).size() >= ENOUGH) {
					break;
				}
			}
			return outcome(nodes.events(LockNode.GRANTED), nodes.events(LockNode.RELEASING));
		}
	}

	private static void contend(Nodes nodes, int round) throws IOException, InterruptedException, DemoFailedException {
		for (String node : NODES) {
			nodes.send(node, LockNode.CONTEND, "lock", Long.toString(TIME.toMillis()));
		}
		for (String node : NODES) {
			nodes.await(node, LockNode.DONE, round);
		}
		nodes.settle();
	}

	private static List<Hold> holds(Nodes nodes) {
		return Hold.pair(nodes.events(LockNode.GRANTED), nodes.events(LockNode.RELEASING));
	}

	/** Judges what the processes reported. */
	static Outcome outcome(List<Event> granted, List<Event> releasing) {
		List<Hold> holds = Hold.pair(granted, releasing);
		List<Duration> handOffs = Hold.handOffs(holds);
		List<String> violations = new ArrayList<>(Hold.violations(holds));
		if (handOffs.size() < FEWEST) {
			violations.add("The lock passed from process to process only " + handOffs.size() + " times");
		}
		return Outcome
			.of(violations,
					holds.size() + " grants to " + NODES.length
							+ " processes did not overlap, and their fencing tokens increase")
			.with(new Latencies().add("from a release to the next process's grant", handOffs).rows());
	}

}

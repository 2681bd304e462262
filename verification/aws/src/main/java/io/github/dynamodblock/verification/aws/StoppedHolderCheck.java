/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Event;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Stops a holder until another process has taken its lock over, and lets it write when it
 * continues.
 */
final class StoppedHolderCheck implements Check {

	private static final Duration LEASE = Duration.ofSeconds(3);

	@Override
	public String title() {
		return "Guarded write by a stopped holder";
	}

	@Override
	public Outcome run(RunContext context) throws IOException, InterruptedException, DemoFailedException {
		try (DynamoDbClient dynamoDb = context.newClient();
				Nodes nodes = new Nodes(context, context.createTable(dynamoDb, "guarded"), LEASE)) {
			List<String> violations = new ArrayList<>();
			nodes.start("stopped", "successor");
			nodes.order("stopped", LockNode.GRANTED, LockNode.ACQUIRE, "lock");
			nodes.order("stopped", LockNode.WRITTEN, LockNode.WRITE);
			nodes.process("stopped").pause();
			nodes.order("successor", LockNode.GRANTED, LockNode.ACQUIRE, "lock");
			nodes.order("successor", LockNode.WRITTEN, LockNode.WRITE);
			nodes.process("stopped").resume();
			// First the write that asks DynamoDB alone: the lock client does not stand
			// before it.
			for (String order : new String[] { LockNode.WRITE_PREPARED, LockNode.WRITE }) {
				nodes.order("stopped", LockNode.DONE, order);
				nodes.settle();
				String expected = order.equals(LockNode.WRITE) ? LockNode.BY_CLIENT : LockNode.BY_DYNAMODB;
				List<String> refusals = nodes.events(LockNode.REFUSED).stream().map(Event::subject).toList();
				if (!refusals.contains(expected)) {
					violations.add("The stopped holder's write was not refused by " + expected + ", but: "
							+ (refusals.isEmpty() ? "committed" : refusals));
				}
			}
			String writer = writer(dynamoDb, context.tables().name("guarded"));
			if (!writer.equals("successor")) {
				violations.add("The item was written by " + writer);
			}
			nodes.order("successor", LockNode.WRITTEN, LockNode.WRITE);
			return Outcome.of(violations,
					"DynamoDB refused the transaction of a holder that was stopped (SIGSTOP) for more than its lease, "
							+ "the lock client refuses its transactWrite, and the new holder still writes");
		}
	}

	private static String writer(DynamoDbClient dynamoDb, String table) {
		AttributeValue writer = dynamoDb
			.getItem((request) -> request.tableName(table)
				.key(Map.of("key", AttributeValue.fromS(LockNode.GUARDED_ITEM)))
				.consistentRead(true))
			.item()
			.get(LockNode.WRITER);
		return (writer != null) ? writer.s() : "no holder";
	}

}

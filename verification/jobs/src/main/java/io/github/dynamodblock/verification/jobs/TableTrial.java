/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.verification.harness.Demo;
import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.DynamoDbLocal;
import io.github.dynamodblock.verification.jobs.Run.End;
import io.github.dynamodblock.verification.jobs.node.TableJob;
import io.github.dynamodblock.verification.jobs.node.TableSchedule;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * A {@code SchedulingConfigurer} reads the cron expression from a table. It changes, and
 * then a node is killed in a run.
 */
final class TableTrial extends Trial {

	private static final int SHORT_TICKS = 3;

	private final String dynamoDb;

	private @Nullable Run killed;

	private Instant up = Instant.MIN;

	private Instant changed = Instant.MIN;

	private Instant longOnly = Instant.MIN;

	private TableTrial(Nodes nodes, String dynamoDb) {
		super(nodes);
		this.dynamoDb = dynamoDb;
	}

	static Trial of(Demo demo, String dynamoDb, String name, Library library) {
		return new TableTrial(new Nodes(demo, name, library, List.of(TableSchedule.class, TableJob.class)), dynamoDb);
	}

	@Override
	void act() throws IOException, InterruptedException, DemoFailedException {
		try (DynamoDbClient client = DynamoDbLocal.client(this.dynamoDb)) {
			createTable(client);
			write(client, TableJob.SHORT_CRON);
			this.up = nodes().start(NODES);
			awaitEnded(SHORT_TICKS, this.up);
			this.changed = Instant.now();
			write(client, TableJob.LONG_CRON);
			// Spring has planned a call by the expression before.
			this.longOnly = Instant.now().plus(TableJob.SHORT_INTERVAL);
			Run run = nodes().awaitValue("no node was in the middle of a run after the change",
					() -> running(TableJob.NAME, nodes().names()).filter((next) -> next.tick().isAfter(this.longOnly)));
			nodes().kill(run.node());
			this.killed = history().now(run);
			awaitRerun(run);
			awaitEnded(1, run.tick());
		}
	}

	private static void createTable(DynamoDbClient client) {
		KeySchemaElement key = KeySchemaElement.builder()
			.attributeName(TableSchedule.KEY)
			.keyType(KeyType.HASH)
			.build();
		AttributeDefinition attribute = AttributeDefinition.builder()
			.attributeName(TableSchedule.KEY)
			.attributeType(ScalarAttributeType.S)
			.build();
		client.createTable((table) -> table.tableName(TableSchedule.TABLE)
			.keySchema(key)
			.attributeDefinitions(attribute)
			.billingMode(BillingMode.PAY_PER_REQUEST));
	}

	private static void write(DynamoDbClient client, String cron) {
		client.putItem((put) -> put.tableName(TableSchedule.TABLE)
			.item(Map.of(TableSchedule.KEY, AttributeValue.fromS(TableJob.NAME), TableSchedule.CRON,
					AttributeValue.fromS(cron))));
	}

	@Override
	String check(Checker checker) {
		if (this.killed != null) {
			checker.require(this.killed.is(End.KILLED), "was not killed: " + this.killed);
			checker.checkRerun(this.killed);
		}
		checker.require(checker.reruns() == 1, checker.reruns() + " reruns of one killed run");
		int before = checker.checkTicks(TableJob.NAME, TableJob.SHORT_CRON, this.up, this.changed, false);
		int after = checker.checkTicks(TableJob.NAME, TableJob.LONG_CRON, this.longOnly, history().lastEnded(), false);
		return before + " ticks before the change of the table and " + after
				+ " after it ran once each, 0 lost; 1 run was killed and run again once";
	}

}

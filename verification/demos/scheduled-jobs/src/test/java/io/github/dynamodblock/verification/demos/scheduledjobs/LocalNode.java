/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.github.dynamodblock.samples.scheduledjob.ScheduledJobApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import io.github.dynamodblock.verification.harness.ApplicationNode;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Reporter;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A node of the demo in the process of a test.
 */
final class LocalNode {

	private LocalNode() {
	}

	/** With a lease that outlasts the pauses of a busy build machine. */
	static ConfigurableApplicationContext start(String name, EmbeddedDynamoDb dynamoDb, Consumer<Event> events) {
		List<String> arguments = new ArrayList<>(ObservedNode.arguments(Duration.ofMinutes(1), Duration.ofSeconds(10)));
		arguments.add("--dynamodb-lock.owner-name=" + name);
		return ApplicationNode
			.application(new Reporter(name, events), ScheduledJobApplication.class, ObservedNode.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> dynamoDb.newClient((client) -> {
					})))
			.run(arguments.toArray(String[]::new));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.scheduledjobs;

import java.util.function.Consumer;

import io.github.dynamodblock.verification.harness.ApplicationNode;
import io.github.dynamodblock.verification.harness.Event;
import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.samples.scheduledjobs.ScheduledJobsApplication;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
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
		return ApplicationNode
			.application(new Reporter(name, events), ScheduledJobsApplication.class, ObservedNode.class)
			.initializers((context) -> ((GenericApplicationContext) context).registerBean(DynamoDbClient.class,
					() -> dynamoDb.newClient((client) -> {
					})))
			.run("--dynamodb-lock.owner-name=" + name, "--dynamodb-lock.lease-duration=1m",
					"--dynamodb-lock.heartbeat-period=10s");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import org.springframework.stereotype.Component;

@Component
class JobHistory implements JobListener {

	private final DynamoDbClient dynamoDb;

	JobHistory(DynamoDbClient dynamoDb) {
		this.dynamoDb = dynamoDb;
	}

	@Override
	public void onEvent(JobEvent event) {
		if (event instanceof JobFinishedEvent run) {
			add(run.job(), run.tick(), "attempt " + run.attempt() + " " + run.outcome());
		}
		else if (event instanceof JobCrashedEvent crash) {
			add(crash.job(), crash.tick(), crash.rerun() ? "crashed, runs again" : "crashed");
		}
	}

	private void add(LockedJob job, Instant tick, String end) {
		Instant now = Instant.now();
		String expiry = String.valueOf(now.plus(Duration.ofDays(90)).getEpochSecond());
		this.dynamoDb.putItem((put) -> put.tableName("job-runs")
			.item(Map.of("job", AttributeValue.fromS(job.id()), "run", AttributeValue.fromS(tick + " " + now), "end",
					AttributeValue.fromS(end), "expiresAt", AttributeValue.fromN(expiry))));
	}

}

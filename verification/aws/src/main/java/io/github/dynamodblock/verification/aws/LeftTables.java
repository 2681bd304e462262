/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * Finds tables of runs that were killed before they deleted them: by their names and
 * their tags. DynamoDB Local has no tags, so that the names must do there.
 */
final class LeftTables {

	/** Longer than a run takes. */
	static final Duration LONGEST_RUN = Duration.ofMinutes(30);

	private final Target target;

	private final DynamoDbClient client;

	/** Finds tables with a client that may describe any table. */
	LeftTables(Target target, DynamoDbClient client) {
		this.target = target;
		this.client = client;
	}

	/** Returns the tables of all runs, in the order of their names. */
	List<Found> find() {
		return this.client.listTablesPaginator((request) -> request.exclusiveStartTableName(RunTables.PREFIX))
			.tableNames()
			.stream()
			.takeWhile((name) -> name.startsWith(RunTables.PREFIX))
			.flatMap((name) -> find(name).stream())
			.toList();
	}

	private List<Found> find(String name) {
		String run = RunTables.run(name);
		if (run == null) {
			return List.of();
		}
		try {
			TableDescription table = this.client.describeTable((request) -> request.tableName(name)).table();
			return isTagged(table, run) ? List.of(new Found(name, run, table.creationDateTime())) : List.of();
		}
		catch (ResourceNotFoundException ex) {
			// Deleted in the meantime.
			return List.of();
		}
	}

	private boolean isTagged(TableDescription table, String run) {
		return this.target.isLocal()
				|| this.client.listTagsOfResource((request) -> request.resourceArn(table.tableArn()))
					.tags()
					.stream()
					.anyMatch((tag) -> tag.key().equals(RunTables.TAG) && tag.value().equals(run));
	}

	/**
	 * A table of a run.
	 *
	 * @param name its name
	 * @param run its run
	 * @param created when it was created
	 */
	record Found(String name, String run, Instant created) {

		/** Whether its run may still be in progress. */
		boolean isRecent(Instant now) {
			return Duration.between(this.created, now).compareTo(LONGEST_RUN) < 0;
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.dynamodblock.verification.harness.DemoFailedException;
import io.github.dynamodblock.verification.harness.Verdict;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Deletes the tables of runs that were killed before they could. */
final class CleanUp {

	private static final Duration AT_MOST = Duration.ofMinutes(3);

	private final Target target;

	private final Consumer<String> output;

	CleanUp(Target target, Consumer<String> output) {
		this.target = target;
		this.output = output;
	}

	/**
	 * Lists the tables, and deletes them after consent.
	 * @param run the run whose tables are deleted, or empty for those of all runs that
	 * can no longer be in progress
	 * @param yes whether consent is given
	 * @param input where consent is read
	 */
	Verdict run(String run, boolean yes, InputStream input) throws InterruptedException, DemoFailedException {
		try (DynamoDbClient client = this.target.newClient()) {
			Instant now = Instant.now();
			List<String> names = new ArrayList<>();
			List<String> recent = new ArrayList<>();
			for (LeftTables.Found table : new LeftTables(this.target, client).find()) {
				boolean chosen = run.isEmpty() ? !table.isRecent(now) : table.run().equals(run);
				if (chosen) {
					names.add(table.name());
				}
				else if (run.isEmpty()) {
					recent.add(table.run());
				}
				if (chosen || run.isEmpty()) {
					this.output.accept(table.name() + ", created " + ChronoUnit.MINUTES.between(table.created(), now)
							+ " minutes ago" + (chosen ? "" : ": left, its run may be in progress"));
				}
			}
			recent.stream()
				.distinct()
				.forEach((each) -> this.output
					.accept("If run " + each + " has ended, delete its tables with --clean-up " + each));
			if (names.isEmpty()) {
				return Verdict.ok("There is no table to delete in " + this.target);
			}
			if (!yes) {
				this.output.accept("Delete these " + names.size() + " tables? Type yes:");
				Consent.await(input, "Nothing was deleted");
			}
			Map<String, String> left = RunTables.delete(client, names, now.plus(AT_MOST));
			return left.isEmpty() ? Verdict.ok("Deleted " + names.size() + " tables")
					: Verdict.failed("Some tables may still exist: " + left);
		}
	}

}

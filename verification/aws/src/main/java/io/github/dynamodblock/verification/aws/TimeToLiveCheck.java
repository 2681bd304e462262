/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.table.LockTable;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;

/** Creates tables with time to live on and off, and checks both. */
final class TimeToLiveCheck implements Check {

	private static final String WARNING = "Time to live is off for the lock table";

	@Override
	public String title() {
		return "Time to live, on and off";
	}

	@Override
	public Outcome run(RunContext context) {
		List<String> violations = new ArrayList<>();
		List<String> rows = new ArrayList<>(List.of("", "| table | call | outcome |", "| --- | --- | --- |"));
		try (DynamoDbClient dynamoDb = context.newClient(); DynamoDbClient later = context.newClient(new Older())) {
			String on = context.tables().name("ttl-on");
			String off = context.tables().name("ttl-off");
			Findings findings = new Findings(violations, rows);
			findings.expect("on", "`createIfMissing()`", "created", () -> created(LockTable.of(dynamoDb, on)));
			findings.expect("on", "`DescribeTimeToLive`", "on, by `expiresAt`", () -> state(dynamoDb, on));
			findings.expect("on", "`check()`, ten minutes later", "passes", () -> check(LockTable.of(later, on)));
			findings.expect("on", "`check()` for another attribute", "WRONG_TIME_TO_LIVE_ATTRIBUTE",
					() -> check(LockTable.of(later, on).timeToLiveAttributeName("another")));
			findings.expect("off", "`withoutTimeToLive().createIfMissing()`", "created",
					() -> created(LockTable.of(dynamoDb, off).withoutTimeToLive()));
			findings.expect("off", "`DescribeTimeToLive`", "off", () -> state(dynamoDb, off));
			findings.expect("off", "`check()` of a new table", "passes", () -> check(LockTable.of(dynamoDb, off)));
			findings.expect("off", "`check()`, ten minutes later", "passes with a warning",
					() -> check(LockTable.of(later, off)));
			findings.expect("off", "`withoutTimeToLive().check()`, ten minutes later", "passes",
					() -> check(LockTable.of(later, off).withoutTimeToLive()));
			findings.expect("off", "`createIfMissing()`, ten minutes later", "exists",
					() -> created(LockTable.of(later, off)));
			findings.expect("off", "`DescribeTimeToLive`", "off", () -> state(dynamoDb, off));
			findings.expect("off", "`createIfMissing()` of a new table", "exists",
					() -> created(LockTable.of(dynamoDb, off)));
			findings.expect("off", "`DescribeTimeToLive`", "on, by `expiresAt`", () -> state(dynamoDb, off));
		}
		rows.addAll(List.of("", "\"Ten minutes later\" means that the client was shown an earlier time of creation."));
		return Outcome
			.of(violations, "createIfMissing() enables it for new tables only, and check() reports what it should")
			.with(rows);
	}

	private static String created(LockTable table) {
		return table.createIfMissing() ? "created" : "exists";
	}

	private static String state(DynamoDbClient dynamoDb, String table) {
		var description = dynamoDb.describeTimeToLive((request) -> request.tableName(table)).timeToLiveDescription();
		return switch (description.timeToLiveStatus()) {
			// DynamoDB takes up to an hour to enable it everywhere.
			case ENABLED, ENABLING -> "on, by `" + description.attributeName() + "`";
			case DISABLED, DISABLING -> "off";
			default -> description.timeToLiveStatusAsString();
		};
	}

	private static String check(LockTable table) {
		try (LogCapture log = new LogCapture()) {
			table.check();
			return log.warnings().stream().anyMatch((line) -> line.startsWith(WARNING)) ? "passes with a warning"
					: "passes";
		}
		catch (LockTableException ex) {
			return ex.problem().toString();
		}
	}

	/** Compares outcomes with what they must be. */
	private record Findings(List<String> violations, List<String> rows) {

		void expect(String table, String call, String expected, java.util.function.Supplier<String> outcome) {
			String actual = outcome.get();
			this.rows.add("| " + table + " | " + call + " | " + actual + " |");
			if (!actual.equals(expected)) {
				this.violations.add("Time to live " + table + ": " + call + " should give \"" + expected
						+ "\", but gave \"" + actual + "\"");
			}
		}

	}

	/** Shows tables as ten minutes older than they are. */
	private static final class Older implements ExecutionInterceptor {

		private static final Duration AGE = Duration.ofMinutes(10);

		@Override
		public SdkResponse modifyResponse(Context.ModifyResponse context, ExecutionAttributes attributes) {
			return (context.response() instanceof DescribeTableResponse response) ? response.toBuilder()
				.table(response.table()
					.toBuilder()
					.creationDateTime(response.table().creationDateTime().minus(AGE))
					.build())
				.build() : context.response();
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockClientBuilder;
import io.github.dynamodblock.ListRequest;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.table.LockTable;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.model.Credentials;

/**
 * Uses locks with the documented IAM policy and no other permissions: what it allows must
 * work, and the rest must be denied.
 */
final class PolicyCheck implements Check {

	private static final String DENIED = "denied";

	private static final String ALLOWED = "allowed";

	private static final int SESSION_SECONDS = 900;

	/** What docs/aws-setup.md recommends for most applications. */
	private static final List<String> USUAL = List.of("Locks", "TableCheck");

	@Override
	public String title() {
		return "The documented IAM policy";
	}

	@Override
	public Outcome run(RunContext context) throws InterruptedException {
		String role = context.role();
		if (context.target().isLocal()) {
			return Outcome.skipped("DynamoDB Local does not evaluate IAM policies");
		}
		if (role == null) {
			return Outcome.skipped("No role was named with --assume-role");
		}
		return check(context, (policy) -> assume(context, role, policy));
	}

	private static DynamoDbClient assume(RunContext context, String role, String policy) {
		Region region = Region.of(String.valueOf(context.target().region()));
		try (StsClient sts = StsClient.builder().region(region).build()) {
			Credentials credentials = sts
				.assumeRole((request) -> request.roleArn(role)
					.roleSessionName(RunTables.PREFIX + context.tables().run())
					.policy(policy)
					.durationSeconds(SESSION_SECONDS))
				.credentials();
			AwsSessionCredentials session = AwsSessionCredentials.create(credentials.accessKeyId(),
					credentials.secretAccessKey(), credentials.sessionToken());
			return DynamoDbClient.builder()
				.region(region)
				.credentialsProvider(StaticCredentialsProvider.create(session))
				.overrideConfiguration((override) -> context.interceptors().forEach(override::addExecutionInterceptor))
				.build();
		}
	}

	/**
	 * Uses locks with the usual statements, and with all of them.
	 * @param sessions returns a client whose permissions are those of a policy
	 */
	static Outcome check(RunContext context, Sessions sessions) throws InterruptedException {
		SessionPolicy policy = new SessionPolicy();
		Findings findings = new Findings();
		try (DynamoDbClient dynamoDb = context.newClient()) {
			String table = context.createTable(dynamoDb, "policy");
			String another = context.createTable(dynamoDb, "policy-other");
			String arn = dynamoDb.describeTable((request) -> request.tableName(table)).table().tableArn();
			try (DynamoDbClient usual = sessions.open(policy.of(arn, USUAL))) {
				use(findings.of(String.join(", ", USUAL)), usual, table, DENIED);
				deny(findings, usual, table, another);
			}
			try (DynamoDbClient all = sessions.open(policy.of(arn, policy.sids()))) {
				use(findings.of("all statements"), all, table, ALLOWED);
				findings.expect("createIfMissing", ALLOWED, () -> LockTable.of(all, table).createIfMissing());
				deny(findings, all, table, another);
				findings.expect("DeleteTable", DENIED, () -> all.deleteTable((delete) -> delete.tableName(table)));
			}
		}
		return Outcome
			.of(findings.violations,
					"With the documented policy, locks work, and what it does not allow is denied: "
							+ findings.rows.size() + " calls")
			.with(findings.table());
	}

	/**
	 * Every feature of docs/aws-setup.md. The first ones are allowed with the usual
	 * statements.
	 */
	private static void use(Findings findings, DynamoDbClient dynamoDb, String table, String furtherOnes)
			throws InterruptedException {
		LockClientBuilder builder = LockClient.builder(dynamoDb).tableName(table).leaseDuration(Duration.ofSeconds(10));
		findings.expect("check", ALLOWED, () -> LockTable.of(dynamoDb, table).check());
		try (LockClient locks = builder.build(); LockClient deleting = builder.deleteOnRelease(true).build()) {
			findings.expect("acquire, renew, release", ALLOWED, () -> {
				HeldLock lock = locks.acquire("lock");
				lock.renew();
				lock.release();
			});
			findings.expect("find", ALLOWED, () -> locks.find("lock"));
			findings.expect("forceRelease", ALLOWED, () -> locks.forceRelease(LockKey.of("lock"), locks.ownerName()));
			findings.expect("list of a partition", furtherOnes,
					() -> locks.list(ListRequest.partition("lock")).forEach((record) -> {
					}));
			findings.expect("list of the table", furtherOnes, () -> locks.list(ListRequest.all()).forEach((record) -> {
			}));
			HeldLock lock = locks.acquire("guarded");
			findings.expect("a transaction with conditionCheck()", furtherOnes,
					() -> dynamoDb.transactWriteItems((transaction) -> transaction
						.transactItems(TransactWriteItem.builder().conditionCheck(lock.conditionCheck()).build())));
			lock.release();
			// Each time another lock: after a release that is denied, it is held until
			// its lease ends.
			findings.expect("deleteOnRelease", furtherOnes, () -> deleting.acquire("deleted-" + furtherOnes).release());
		}
	}

	private static void deny(Findings findings, DynamoDbClient dynamoDb, String table, String another)
			throws InterruptedException {
		Map<String, AttributeValue> item = Map.of("key", AttributeValue.fromS("item"));
		findings.expect("PutItem", DENIED, () -> dynamoDb.putItem((put) -> put.tableName(table).item(item)));
		findings.expect("GetItem of another table", DENIED,
				() -> dynamoDb.getItem((get) -> get.tableName(another).key(item)));
	}

	/** Opens a client whose permissions are those of a policy. */
	@FunctionalInterface
	interface Sessions {

		DynamoDbClient open(String policy);

	}

	/** A call that may be denied. */
	@FunctionalInterface
	private interface Call {

		void run() throws InterruptedException;

	}

	/** Compares what happens with what the policy says. */
	private static final class Findings {

		private final List<String> rows = new ArrayList<>();

		private final List<String> violations = new ArrayList<>();

		private String statements = "";

		Findings of(String chosen) {
			this.statements = chosen;
			return this;
		}

		void expect(String call, String expected, Call action) throws InterruptedException {
			String actual = outcome(action);
			this.rows.add("| " + this.statements + " | " + call + " | " + actual + " |");
			if (!actual.equals(expected)) {
				this.violations
					.add("With " + this.statements + ", " + call + " should be " + expected + ", but was: " + actual);
			}
		}

		private static String outcome(Call action) throws InterruptedException {
			try {
				action.run();
				return ALLOWED;
			}
			catch (RuntimeException ex) {
				return isDenied(ex) ? DENIED : String.valueOf(ex.getMessage());
			}
		}

		private static boolean isDenied(@Nullable Throwable error) {
			for (Throwable cause = error; cause != null; cause = cause.getCause()) {
				if (cause instanceof AwsServiceException service && service.awsErrorDetails() != null
						&& "AccessDeniedException".equals(service.awsErrorDetails().errorCode())) {
					return true;
				}
			}
			return false;
		}

		List<String> table() {
			List<String> lines = new ArrayList<>(List.of("", "| statements | call | outcome |", "| --- | --- | --- |"));
			lines.addAll(this.rows);
			return lines;
		}

	}

}

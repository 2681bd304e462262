/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import static org.assertj.core.api.Assertions.assertThat;

/** The checks that DynamoDB Local does not put to the test. */
@Timeout(180)
class ChecksTests {

	/** What all checks of this process log is reported by a check of throttling. */
	private static final String LOG = "log";

	private final RunContext context = LocalRun.context();

	@AfterEach
	void delete() {
		try (DynamoDbClient plain = this.context.target().newClient()) {
			this.context.tables().delete(plain, Duration.ofSeconds(20));
		}
	}

	@Test
	void policyThatIsNotEvaluatedFailsTheCheck() throws InterruptedException {
		Outcome outcome = PolicyCheck.check(this.context, (policy) -> this.context.newClient());

		assertThat(outcome.status()).isEqualTo(Outcome.Status.FAILED);
		assertThat(outcome.summary())
			.isEqualTo("With Locks, TableCheck, list of a partition should be denied, but was: allowed");
		assertThat(outcome.details()).contains("- With Locks, TableCheck, PutItem should be denied, but was: allowed",
				"| all statements | createIfMissing | allowed |",
				"- With all statements, GetItem of another table should be denied, but was: allowed");
	}

	@Test
	void policyThatIsEvaluatedPassesTheCheck() throws InterruptedException {
		List<String> policies = new ArrayList<>();
		Outcome outcome = PolicyCheck.check(this.context, (policy) -> {
			policies.add(policy);
			return this.context.newClient(new Evaluated(policy));
		});

		assertThat(outcome.status()).as(outcome.toString()).isEqualTo(Outcome.Status.HELD);
		assertThat(outcome.details()).contains("| Locks, TableCheck | deleteOnRelease | denied |",
				"| Locks, TableCheck | a transaction with conditionCheck() | denied |",
				"| all statements | deleteOnRelease | allowed |", "| all statements | DeleteTable | denied |");
		assertThat(policies).hasSize(2).allMatch((policy) -> policy.length() <= SessionPolicy.LONGEST);
	}

	@Test
	void policyIsSkippedOnDynamoDbLocalAndSaysWhy() throws InterruptedException {
		Outcome outcome = new PolicyCheck().run(this.context);

		assertThat(outcome).isEqualTo(Outcome.skipped("DynamoDB Local does not evaluate IAM policies"));
	}

	@Test
	@ResourceLock(LOG)
	void throttlingThatDoesNotOccurIsNotReportedAsSuccess() throws InterruptedException {
		assertThat(new ThrottlingCheck().run(this.context).status()).isEqualTo(Outcome.Status.NOT_PROVOKED);
	}

	@Test
	@ResourceLock(LOG)
	void throttledCallsAreReportedByTheirNameAndLoseNoLock() throws InterruptedException {
		Outcome outcome = new ThrottlingCheck(Duration.ofSeconds(10),
				new Throttled("ProvisionedThroughputExceededException", 3))
			.run(this.context);

		assertThat(outcome.status()).as(outcome.toString()).isEqualTo(Outcome.Status.HELD);
		assertThat(outcome.summary()).contains("were throttled; no lock was lost or granted twice");
		assertThat(outcome.details()).anyMatch((line) -> line.contains("was throttled"));
	}

	@Test
	@ResourceLock(LOG)
	void heldLockThatIsLostUnderLoadFailsTheCheck() throws InterruptedException {
		// Nothing passes any more, not even after the load.
		Outcome outcome = new ThrottlingCheck(Duration.ofSeconds(4),
				new Throttled("ProvisionedThroughputExceededException", Integer.MAX_VALUE))
			.run(this.context);

		assertThat(outcome.status()).isEqualTo(Outcome.Status.FAILED);
		assertThat(outcome.summary()).startsWith("A lock that was held meanwhile is not held any more");
	}

	/** Denies the calls that a policy for one table does not allow, as IAM does. */
	private record Evaluated(String policy) implements ExecutionInterceptor {

		@Override
		public void beforeTransmission(Context.BeforeTransmission transmission, ExecutionAttributes attributes) {
			String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
			String action = operation.equals("TransactWriteItems") ? "ConditionCheckItem" : operation;
			String table = transmission.request().getValueForField("TableName", String.class).orElse("policy");
			if (!this.policy.contains("\"dynamodb:" + action + "\"") || !table.endsWith("policy")) {
				throw DynamoDbException.builder()
					.statusCode(400)
					.awsErrorDetails(AwsErrorDetails.builder()
						.errorCode("AccessDeniedException")
						.errorMessage("no session policy allows the dynamodb:" + action + " action")
						.build())
					.message("denied")
					.build();
			}
		}

	}

	/** Throttles writes after the first ones: all but each n-th one. */
	private static final class Throttled implements ExecutionInterceptor {

		private static final int FREE = 40;

		private final AtomicInteger writes = new AtomicInteger();

		private final String code;

		private final int passed;

		Throttled(String code, int passed) {
			this.code = code;
			this.passed = passed;
		}

		@Override
		public void beforeTransmission(Context.BeforeTransmission transmission, ExecutionAttributes attributes) {
			int number = this.writes.incrementAndGet();
			if (transmission.request() instanceof UpdateItemRequest && number > FREE && number % this.passed != 0) {
				throw ProvisionedThroughputExceededException.builder()
					.statusCode(400)
					.awsErrorDetails(AwsErrorDetails.builder().errorCode(this.code).errorMessage("Too many").build())
					.message("Too many")
					.build();
			}
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.Arrays;

import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A method that would hold its lock for longer than its lock client allows fails startup.
 */
@ExtendWith(DynamoDbExtension.class)
class HoldLimitTests {

	@Test
	void anAnnotationThatHoldsItsLockForLongerThanTheClientFailsStartup(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, "hold-at-most=30s").withBean(Job.class).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessage("Lock annotation on " + Job.class.getName() + ".work(), attribute 'holdAtLeast': it is 1m, "
						+ "but dynamodb-lock.hold-at-most is 30s, so that every call would fail. Set the property or "
						+ "the attribute 'holdAtMost' to at least 1m, or give a shorter holdAtLeast");
		});
	}

	@ParameterizedTest
	@CsvSource({ "clients.reports.hold-at-most=1500ms, dynamodb-lock.clients.reports.hold-at-most is 1500ms",
			"hold-at-most=1s, dynamodb-lock.hold-at-most is 1s" })
	void theReportNamesThePropertyThatLimitsTheMethodsOwnClient(String limit, String reported,
			EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, limit, "clients.reports.lease-duration=4s").withBean(ReportJob.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidDistributedLockException.class)
				.hasMessageContainingAll(ReportJob.class.getName() + ".report()", "it is 2s", reported));
	}

	@Test
	void anAnnotationWithALimitThatFitsStarts(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, "hold-at-most=30s").withBean(FitJobs.class).run((context) -> assertThat(context).hasNotFailed());
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, String... properties) {
		return LockNode.of(dynamoDb)
			.withPropertyValues(
					Arrays.stream(properties).map((property) -> "dynamodb-lock." + property).toArray(String[]::new));
	}

	static class Job {

		@DistributedLock(name = "job", holdAtLeast = "1m")
		public void work() {
		}

	}

	static class ReportJob {

		@DistributedLock(name = "report", lockClient = "reports", holdAtLeast = "2s")
		public void report() {
		}

	}

	static class FitJobs {

		@DistributedLock(name = "own-limit", holdAtLeast = "1m", holdAtMost = "2m")
		public void ownLimit() {
		}

		@DistributedLock(name = "as-long", holdAtLeast = "30s")
		public void asLong() {
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.net.ConnectException;
import java.time.Duration;
import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.exception.SdkClientException;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class LockedExecutionTests {

	@Test
	void aLockIsReleasedAlthoughItsReleaseCannotBeDescribed(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			LockedExecution execution = new LockedExecution(client, "Report.run()",
					List.of(LockRequest.of("undescribed")), false);
			execution.releaseWith((failure) -> {
				throw new AssertionError("no description");
			});
			execution.acquire();
			HeldLock lock = execution.<HeldLock, RuntimeException>execute((locks) -> locks.get(0));
			assertThat(lock.isHeld()).isFalse();
			assertThat(lock.lossReason()).isEmpty();
			assertThat(client.tryAcquire("undescribed")).get().satisfies(HeldLock::close);
			assertThat(log.toString()).contains(
					"The result of Report.run() was not recorded in the item of lock 'undescribed'", "no description");
		});
	}

	@Test
	void theReleasesOfSeveralLocksShareOneWait(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		LockNode.of(dynamoDb, calls::attach).withPropertyValues("dynamodb-lock.lease-duration=1m").run((context) -> {
			LockedExecution execution = new LockedExecution(context.getBean(LockClient.class), "Report.run()",
					List.of(LockRequest.of("first"), LockRequest.of("second")), false);
			execution.releaseWith((failure) -> ReleaseRequest.create().waitTime(Duration.ofSeconds(2)));
			execution.acquire();
			execution.<Object, RuntimeException>execute((locks) -> {
				calls.deny((request) -> {
					throw SdkClientException.create("refused by the test", new ConnectException("Connection refused"));
				});
				return "done";
			});
			calls.deny((request) -> false);
			assertThat(log.toString()).containsOnlyOnce("Lock 'first' could not be released")
				.contains("release of lock 'second' was not confirmed within 2 s")
				.doesNotContain("release of lock 'first' was not confirmed within 2 s");
		});
	}

}

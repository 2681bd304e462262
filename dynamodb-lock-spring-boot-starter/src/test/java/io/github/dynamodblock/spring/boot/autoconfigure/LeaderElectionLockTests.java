/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

import org.springframework.dao.CannotAcquireLockException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@ExtendWith(CapturedLogExtension.class)
class LeaderElectionLockTests {

	private static final String WARNING = "Leader election for role ";

	private final FailingLock failing = new FailingLock();

	/** Other tests may log at the same time. */
	private final String role = UUID.randomUUID().toString();

	private final Lock lock = LeaderElectionLock.of((role) -> this.failing).obtain(this.role);

	@Test
	void aCauseIsWarnedOfOnceUntilTheLockAnswers(CapturedLog log) throws InterruptedException {
		fail(refusal("AccessDeniedException"));
		fail(refusal("AccessDeniedException"));
		assertThat(warnings(log)).isEqualTo(1);
		assertThat(log).contains("WARN", "AccessDeniedException");

		this.failing.failure = null;
		assertThat(this.lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
		assertThat(log).containsOnlyOnce("Stands for the role '" + this.role + "' again");
		assertThat(this.lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
		assertThat(log).containsOnlyOnce("Stands for the role '" + this.role + "' again");

		fail(refusal("AccessDeniedException"));
		assertThat(warnings(log)).isEqualTo(2);
	}

	@Test
	void eachCauseIsWarnedOf(CapturedLog log) {
		fail(refusal("AccessDeniedException"));
		fail(refusal("ThrottlingException"));
		fail(new CannotAcquireLockException("no answer", new IllegalStateException("closed")));
		fail(new IllegalStateException("closed"));
		assertThat(warnings(log)).isEqualTo(4);
		fail(refusal("AccessDeniedException"));
		fail(refusal("ThrottlingException"));
		assertThat(warnings(log)).isEqualTo(4);
	}

	private void fail(RuntimeException failure) {
		this.failing.failure = failure;
		assertThatException().isThrownBy(() -> this.lock.tryLock(0, TimeUnit.SECONDS)).isSameAs(failure);
	}

	private int warnings(CapturedLog log) {
		return log.toString().split(WARNING + "'" + this.role + "'", -1).length - 1;
	}

	/** As DynamoDB refuses: no two messages are alike. */
	private static RuntimeException refusal(String errorCode) {
		return new CannotAcquireLockException("refused",
				DynamoDbException.builder()
					.requestId(UUID.randomUUID().toString())
					.awsErrorDetails(AwsErrorDetails.builder().errorCode(errorCode).errorMessage(errorCode).build())
					.build());
	}

	@SuppressWarnings("serial")
	private static final class FailingLock extends ReentrantLock {

		private @Nullable RuntimeException failure;

		@Override
		public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
			if (this.failure != null) {
				throw this.failure;
			}
			return super.tryLock(time, unit);
		}

	}

}

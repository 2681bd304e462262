/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Code that two applications run by {@code executeLocked}.
 */
@ExtendWith(DynamoDbExtension.class)
class ExecuteLockedTests {

	@Test
	void aBodyRunsUnderTheLockAndGivesItsResult(EmbeddedDynamoDb dynamoDb) {
		TwoNodes.run(TwoNodes.withLocks(dynamoDb), (first, second) -> {
			String result = registry(first).executeLocked("k", () -> {
				assertThat(registry(first).heldLock("k")).get().matches(HeldLock::isHeld);
				assertThat(registry(second).obtain("k").tryLock()).isFalse();
				return "done";
			});
			assertThat(result).isEqualTo("done");
			assertFree(second);
		});
	}

	@Test
	void aBodyThatFailsReleasesTheLock(EmbeddedDynamoDb dynamoDb) {
		TwoNodes.run(TwoNodes.withLocks(dynamoDb), (first, second) -> {
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> registry(first).executeLocked("k", () -> {
					throw new IllegalStateException("thrown by the test's body");
				}))
				.withMessage("thrown by the test's body");
			assertFree(second);
		});
	}

	@Test
	void aBodyDoesNotRunWhenTheLockStaysBusy(EmbeddedDynamoDb dynamoDb) {
		AtomicBoolean ran = new AtomicBoolean();
		TwoNodes.run(TwoNodes.withLocks(dynamoDb), (first, second) -> {
			registry(first).executeLocked("k", () -> {
				assertThatExceptionOfType(TimeoutException.class)
					.isThrownBy(() -> registry(second).executeLocked("k", Duration.ofMillis(100), () -> ran.set(true)));
			});
			assertThat(ran).isFalse();
			registry(second).executeLocked("k", Duration.ofSeconds(30), () -> ran.set(true));
			assertThat(ran).isTrue();
			assertFree(first);
		});
	}

	@Test
	void anInnerBodyLeavesTheLockToTheOuterOne(EmbeddedDynamoDb dynamoDb) {
		TwoNodes.run(TwoNodes.withLocks(dynamoDb), (first, second) -> {
			registry(first).executeLocked("k", () -> {
				HeldLock outer = registry(first).heldLock("k").orElseThrow();
				registry(first).executeLocked("k", () -> {
					assertThat(registry(first).heldLock("k")).containsSame(outer);
				});
				assertThat(outer.isHeld()).isTrue();
				assertThat(registry(second).obtain("k").tryLock()).isFalse();
			});
			assertFree(second);
		});
	}

	private static DynamoDbLockRegistry registry(ApplicationContext node) {
		return node.getBean(DynamoDbLockRegistry.class);
	}

	private static void assertFree(ApplicationContext node) {
		assertThat(node.getBean(LockClient.class).find("registry:k")).isEmpty();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.CountDownLatch;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.OnLost;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.spring.support.LockRow;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith(DynamoDbExtension.class)
class LostLockTests {

	private final CallRecorder calls = new CallRecorder();

	@Test
	void theThreadOfTheBodyIsInterruptedAndTheCallerIsTold(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> context.getBean(Job.class).strictly(() -> {
					new LockRow(dynamoDb, context, "job").steal();
					new CountDownLatch(1).await();
				}))
				.satisfies((lost) -> {
					assertThat(lost.reason()).isEqualTo(LossReason.STOLEN);
					assertThat(lost.getSuppressed()).singleElement().isInstanceOf(InterruptedException.class);
				});
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
		});
	}

	@Test
	void aBodyThatDoesNotHeedTheInterruptDoesNotLeaveItToTheCaller(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> context.getBean(Job.class).strictly(() -> {
					new LockRow(dynamoDb, context, "job").steal();
					await().pollInSameThread().until(() -> Thread.currentThread().isInterrupted());
				}))
				.satisfies((lost) -> assertThat(lost.getSuppressed()).isEmpty());
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
		});
	}

	@Test
	void aLeaseThatRunsOutInterruptsToo(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).withPropertyValues("dynamodb-lock.lease-duration=2s").run((context) -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> context.getBean(Job.class).strictly(() -> {
					this.calls.deny(UpdateItemRequest.class::isInstance);
					new CountDownLatch(1).await();
				}))
				.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(LossReason.EXPIRED));
			this.calls.deny((request) -> false);
		});
	}

	@Test
	void aMethodThatHangsIsInterruptedWhenItsLockWasHeldForTooLong(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> context.getBean(Job.class).briefly(() -> new CountDownLatch(1).await()))
				.satisfies((lost) -> assertThat(lost.reason()).isEqualTo(LossReason.HELD_TOO_LONG));
			// Its work has ended, so that the next one need not wait for the lease.
			await().untilAsserted(() -> assertThat(context.getBean(LockClient.class).find(LockKey.of("job")))
				.hasValueSatisfying((row) -> assertThat(row.isReleased()).isTrue()));
		});
	}

	@Test
	void aLossThatOnlyTheReleaseFindsIsToldInPlaceOfTheResult(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> context.getBean(Job.class).strictly(new LockRow(dynamoDb, context, "job")::steal)));
	}

	@Test
	void aNestedCallIsPartOfTheOneItJoins(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb).run((context) -> {
			Job job = context.getBean(Job.class);
			job.leniently(() -> job.strictly(() -> {
				HeldLock lock = LockContext.current().orElseThrow();
				new LockRow(dynamoDb, context, "job").steal();
				await().pollInSameThread().until(() -> !lock.isHeld());
			}));
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> job.strictly(() -> job.leniently(() -> {
				new LockRow(dynamoDb, context, "job").steal();
				new CountDownLatch(1).await();
			})));
		});
	}

	private ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb) {
		return LockNode.of(dynamoDb, this.calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=10s", "dynamodb-lock.heartbeat-period=400ms")
			.withBean(Job.class);
	}

	@FunctionalInterface
	interface Body {

		void run() throws Exception;

	}

	static class Job {

		@DistributedLock(name = "job", onLost = OnLost.INTERRUPT)
		void strictly(Body body) throws Exception {
			body.run();
		}

		@DistributedLock(name = "job", onLost = OnLost.INTERRUPT, holdAtMost = "${limit:2s}")
		void briefly(Body body) throws Exception {
			body.run();
		}

		@DistributedLock(name = "job")
		void leniently(Body body) throws Exception {
			body.run();
		}

	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.boot.autoconfigure.DynamoDbLockProperties;
import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.CapturedLog;
import io.github.dynamodblock.spring.support.CapturedLogExtension;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith({ DynamoDbExtension.class, CapturedLogExtension.class })
class ReleaseTests {

	@Test
	void theStartLogsTheClientOnceAndHowManyMethodsItLocks(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb, new CallRecorder()).run((context) -> {
			LockClient client = context.getBean(LockClient.class);
			assertThat(log)
				.containsOnlyOnce("Lock client '" + client.ownerName() + "' started: table '" + client.tableName()
						+ "' in region ")
				.containsOnlyOnce("Methods locked by @DistributedLock or @ScheduledLock: 1");
		});
	}

	@Test
	void theMethodsOfAPrototypeAreCountedOnce(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		LockNode.of(dynamoDb)
			.withBean("job", Job.class, Job::new, (definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE))
			.withBean("first", Employer.class)
			.withBean("second", Employer.class)
			.run((context) -> assertThat(log)
				.containsOnlyOnce("Methods locked by @DistributedLock or @ScheduledLock: 1" + System.lineSeparator()));
	}

	@Test
	void aFailingReleaseDoesNotReplaceTheResult(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		CallRecorder calls = new CallRecorder();
		node(dynamoDb, calls).run((context) -> {
			String result = context.getBean(Job.class).run(() -> calls.deny(UpdateItemRequest.class::isInstance));
			assertThat(result).isEqualTo("done");
			assertThat(log).contains("Lock 'job' could not be released when").contains("Job.run(Runnable)");
			calls.deny((request) -> false);
		});
	}

	@Test
	void aFailingReleaseIsSuppressedIntoTheBodysException(EmbeddedDynamoDb dynamoDb) {
		CallRecorder calls = new CallRecorder();
		node(dynamoDb, calls).run((context) -> {
			IllegalArgumentException failure = new IllegalArgumentException("the body's");
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> context.getBean(Job.class).run(() -> {
					calls.deny(UpdateItemRequest.class::isInstance);
					throw failure;
				}))
				.isSameAs(failure)
				.satisfies((thrown) -> assertThat(thrown.getSuppressed()).singleElement()
					.isInstanceOf(LockStoreException.class));
			calls.deny((request) -> false);
		});
	}

	@Test
	void aLockLostWhileTheBodyRanIsReportedAndTheResultIsKept(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb, new CallRecorder()).run((context) -> {
			String table = context.getBean(DynamoDbLockProperties.class).table().name();
			String result = context.getBean(Job.class).run(() -> delete(dynamoDb, table));
			assertThat(result).isEqualTo("done");
			assertThat(log).containsPattern(
					"INFO .*Lock 'job' \\(fencing token \\d+\\) was lost while .*Job.run\\(Runnable\\) ran: ITEM_MISSING");
			await().untilAsserted(() -> assertThat(log)
				.containsPattern("ERROR .*Lock 'job', held with fencing token \\d+, was lost: its item was deleted"));
		});
	}

	@Test
	void theReportOfALossSaysWhy(EmbeddedDynamoDb dynamoDb, CapturedLog log) {
		node(dynamoDb, new CallRecorder())
			.withPropertyValues("dynamodb-lock.lease-duration=20s", "dynamodb-lock.heartbeat-period=500ms")
			.run((context) -> {
				String table = context.getBean(DynamoDbLockProperties.class).table().name();
				Job job = context.getBean(Job.class);
				job.run(() -> {
					delete(dynamoDb, table);
					await().pollInSameThread()
						.untilAsserted(() -> assertThatExceptionOfType(LockLostException.class)
							.isThrownBy(() -> job.run(() -> {
							})));
				});
				assertThat(log).containsPattern("was lost while .*Job.run\\(Runnable\\) ran: ITEM_MISSING");
			});
	}

	@Test
	void aNestedCallDoesNotRunUnderALockThatWasLost(EmbeddedDynamoDb dynamoDb) {
		node(dynamoDb, new CallRecorder())
			.withPropertyValues("dynamodb-lock.lease-duration=20s", "dynamodb-lock.heartbeat-period=500ms")
			.run((context) -> {
				String table = context.getBean(DynamoDbLockProperties.class).table().name();
				Job job = context.getBean(Job.class);
				AtomicInteger nested = new AtomicInteger();
				job.run(() -> {
					delete(dynamoDb, table);
					await().pollInSameThread()
						.untilAsserted(() -> assertThatExceptionOfType(LockLostException.class)
							.isThrownBy(() -> job.run(nested::incrementAndGet)));
				});
				int runs = nested.get();
				job.run(nested::incrementAndGet);
				assertThat(nested).hasValue(runs + 1);
			});
	}

	private static void delete(EmbeddedDynamoDb dynamoDb, String table) {
		dynamoDb.client()
			.deleteItem((delete) -> delete.tableName(table).key(Map.of("key", AttributeValue.fromS("job"))));
	}

	private static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, CallRecorder calls) {
		return LockNode.of(dynamoDb, calls::attach).withBean(Job.class);
	}

	static class Job {

		@DistributedLock("job")
		String run(Runnable body) {
			body.run();
			return "done";
		}

	}

	/** Has a job of its own. */
	record Employer(Job job) {
	}

}

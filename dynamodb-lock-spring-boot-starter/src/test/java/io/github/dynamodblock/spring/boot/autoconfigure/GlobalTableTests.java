/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.support.DynamoDbExtension;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application whose lock table is a global table with multi-region strong consistency.
 */
@ExtendWith(DynamoDbExtension.class)
class GlobalTableTests {

	@Test
	void aGuardedWriteFailsBeforeACallAndTimeToLiveIsNotAskedFor(EmbeddedDynamoDb dynamoDb) {
		LockNode.of(dynamoDb).run((first) -> {
			String table = first.getBean(LockClient.class).tableName();
			LockNode.bare()
				.withBean("dynamoDbClient", DynamoDbClient.class,
						() -> dynamoDb.newClient((builder) -> builder.overrideConfiguration(
								(override) -> override.addExecutionInterceptor(new AcrossRegions()))))
				.withPropertyValues("dynamodb-lock.table.name=" + table)
				.run((context) -> {
					try (HeldLock lock = context.getBean(LockClient.class).acquire("a")) {
						assertThatExceptionOfType(LockStoreException.class)
							.isThrownBy(() -> lock.transactWrite(List.of(item(table))))
							.withMessageContaining("was not sent")
							.withMessageContaining("guard such writes with the lock's fencing token");
						assertThat(lock.isHeld()).isTrue();
					}
				});
		});
	}

	private static TransactWriteItem item(String table) {
		return TransactWriteItem.builder()
			.put((put) -> put.tableName(table).item(Map.of("key", AttributeValue.fromS("data"))))
			.build();
	}

	/**
	 * Describes each table as such a global table, and accepts no call that it lacks.
	 */
	private static final class AcrossRegions implements ExecutionInterceptor {

		@Override
		public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
			assertThat(context.request()).isNotInstanceOfAny(TransactWriteItemsRequest.class,
					DescribeTimeToLiveRequest.class, UpdateTimeToLiveRequest.class);
		}

		@Override
		public SdkResponse modifyResponse(Context.ModifyResponse context, ExecutionAttributes attributes) {
			return (context.response() instanceof DescribeTableResponse described) ? described.toBuilder()
				.table(described.table()
					.toBuilder()
					.replicas(ReplicaDescription.builder().regionName("eu-central-1").build())
					.multiRegionConsistency(MultiRegionConsistency.STRONG)
					.build())
				.build() : context.response();
		}

	}

}

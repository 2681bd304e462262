/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalTableWitnessDescription;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/**
 * Makes every table of a client a global table with multi-region strong consistency,
 * which DynamoDB Local does not have: its description says so, and it refuses
 * transactions and time to live.
 */
public final class GlobalTable implements ExecutionInterceptor {

	private volatile boolean replicated = true;

	/** Removes all replicas but one: the tables are like any other from now on. */
	public void removeReplicas() {
		this.replicated = false;
	}

	@Override
	public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
		SdkRequest request = context.request();
		boolean refused = request instanceof TransactWriteItemsRequest || request instanceof UpdateTimeToLiveRequest;
		if (this.replicated && refused) {
			throw DynamoDbException.builder()
				.statusCode(400)
				.awsErrorDetails(AwsErrorDetails.builder()
					.serviceName("DynamoDb")
					.errorCode("ValidationException")
					.errorMessage("This operation is not supported on this table")
					.build())
				.build();
		}
	}

	@Override
	public SdkResponse modifyResponse(Context.ModifyResponse context, ExecutionAttributes attributes) {
		if (!this.replicated || !(context.response() instanceof DescribeTableResponse described)) {
			return context.response();
		}
		TableDescription global = described.table()
			.toBuilder()
			.globalTableVersion("2019.11.21")
			.replicas(ReplicaDescription.builder().regionName("eu-west-1").build(),
					ReplicaDescription.builder().regionName("eu-central-1").build())
			.globalTableWitnesses(GlobalTableWitnessDescription.builder().regionName("eu-west-3").build())
			.multiRegionConsistency(MultiRegionConsistency.STRONG)
			.build();
		return described.toBuilder().table(global).build();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.concurrent.atomic.DoubleAdder;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the capacity that DynamoDB says a client's reads and updates have consumed. A
 * refused write carries no figure and counts as one unit. Thread-safe.
 */
final class CapacityMeter implements ExecutionInterceptor {

	private final DoubleAdder units = new DoubleAdder();

	double units() {
		return this.units.sum();
	}

	@Override
	public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
		if (context.request() instanceof UpdateItemRequest update) {
			return update.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
		}
		return (context.request() instanceof GetItemRequest get)
				? get.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build() : context.request();
	}

	@Override
	public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
		if (context.response() instanceof UpdateItemResponse update) {
			add(update.consumedCapacity());
		}
		else if (context.response() instanceof GetItemResponse get) {
			add(get.consumedCapacity());
		}
	}

	@Override
	public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
		if (context.exception() instanceof ConditionalCheckFailedException) {
			this.units.add(1);
		}
	}

	private void add(@Nullable ConsumedCapacity consumed) {
		if (consumed == null) {
			throw new IllegalStateException("DynamoDB said nothing about the consumed capacity");
		}
		this.units.add(consumed.capacityUnits());
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Records the calls of a DynamoDB client, and asks DynamoDB what each of them cost. An
 * attempt that the SDK repeats by itself is not recorded again. Thread-safe.
 */
public final class CallRecorder implements ExecutionInterceptor {

	private static final ExecutionAttribute<Call> CALL = new ExecutionAttribute<>("CallRecorder.Call");

	private final List<Call> calls = new CopyOnWriteArrayList<>();

	/** The calls until now, in the order in which they began. */
	public List<Call> calls() {
		return List.copyOf(this.calls);
	}

	/** The names of the calls until now, such as {@code UpdateItem}. */
	public List<String> operations() {
		return this.calls.stream().map(Call::operation).toList();
	}

	public void clear() {
		this.calls.clear();
	}

	@Override
	public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
		Call call = new Call(String.valueOf(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME)),
				context.request());
		attributes.putAttribute(CALL, call);
		this.calls.add(call);
	}

	@Override
	public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
		SdkRequest request = context.request();
		if (request instanceof UpdateItemRequest update) {
			return update.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
		}
		if (request instanceof DeleteItemRequest delete) {
			return delete.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
		}
		if (request instanceof GetItemRequest get) {
			return get.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
		}
		if (request instanceof ScanRequest scan) {
			return scan.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
		}
		if (request instanceof QueryRequest query) {
			return query.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
		}
		return request;
	}

	@Override
	public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
		attributes.getAttribute(CALL).consumed = consumed(context.response());
	}

	private static @Nullable ConsumedCapacity consumed(SdkResponse response) {
		if (response instanceof UpdateItemResponse update) {
			return update.consumedCapacity();
		}
		if (response instanceof DeleteItemResponse delete) {
			return delete.consumedCapacity();
		}
		if (response instanceof ScanResponse scan) {
			return scan.consumedCapacity();
		}
		if (response instanceof QueryResponse query) {
			return query.consumedCapacity();
		}
		return (response instanceof GetItemResponse get) ? get.consumedCapacity() : null;
	}

	/**
	 * One call of the client.
	 */
	public static final class Call {

		private final String operation;

		private final SdkRequest request;

		private volatile @Nullable ConsumedCapacity consumed;

		private Call(String operation, SdkRequest request) {
			this.operation = operation;
			this.request = request;
		}

		/** What was called, as DynamoDB names it. */
		public String operation() {
			return this.operation;
		}

		/** The request as our code made it. */
		public SdkRequest request() {
			return this.request;
		}

		/** The capacity units that the call took, or empty if it did not say. */
		public OptionalDouble consumedUnits() {
			ConsumedCapacity capacity = this.consumed;
			return (capacity == null || capacity.capacityUnits() == null) ? OptionalDouble.empty()
					: OptionalDouble.of(capacity.capacityUnits());
		}

		@Override
		public String toString() {
			return this.operation;
		}

	}

}

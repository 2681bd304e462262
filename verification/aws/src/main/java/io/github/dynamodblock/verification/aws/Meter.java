/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Counts the calls of a run and the capacity that DynamoDB reports for them, and rejects
 * further calls for items when the run has used what it may. Thread-safe.
 */
final class Meter implements ExecutionInterceptor {

	/** Several times what a run uses. */
	static final Cost LIMIT = new Cost(60_000, 60_000);

	private static final Set<String> READS = Set.of("GetItem", "Query", "Scan");

	/** A transaction charges each item twice. */
	private static final int TRANSACTION = 2;

	private final Map<String, Long> calls = new TreeMap<>();

	private final Cost limit;

	private final Observer observer;

	private double writeUnits;

	private double readUnits;

	/** Creates a meter. */
	Meter(Cost limit) {
		this(limit, (operation, writes, reads) -> {
		});
	}

	/**
	 * Creates a meter that passes on what it counts.
	 * @param observer receives each call
	 */
	Meter(Cost limit, Observer observer) {
		this.limit = limit;
		this.observer = observer;
	}

	@Override
	public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
		SdkRequest request = withCapacity(context.request());
		if (request != context.request() && !cost().isWithin(this.limit)) {
			throw new IllegalStateException(
					"This run has reached its limit of capacity: " + (long) this.limit.writeUnits()
							+ " write units and " + (long) this.limit.readUnits() + " read units");
		}
		return request;
	}

	private static SdkRequest withCapacity(SdkRequest request) {
		ReturnConsumedCapacity total = ReturnConsumedCapacity.TOTAL;
		if (request instanceof GetItemRequest get) {
			return get.toBuilder().returnConsumedCapacity(total).build();
		}
		if (request instanceof UpdateItemRequest update) {
			return update.toBuilder().returnConsumedCapacity(total).build();
		}
		if (request instanceof PutItemRequest put) {
			return put.toBuilder().returnConsumedCapacity(total).build();
		}
		if (request instanceof DeleteItemRequest delete) {
			return delete.toBuilder().returnConsumedCapacity(total).build();
		}
		if (request instanceof QueryRequest query) {
			return query.toBuilder().returnConsumedCapacity(total).build();
		}
		if (request instanceof ScanRequest scan) {
			return scan.toBuilder().returnConsumedCapacity(total).build();
		}
		return (request instanceof TransactWriteItemsRequest transaction)
				? transaction.toBuilder().returnConsumedCapacity(total).build() : request;
	}

	@Override
	public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
		count(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME), units(context.response()));
	}

	@Override
	public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
		count(attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME), unitsOfFailure(context));
	}

	private static double units(SdkResponse response) {
		Object capacity = response.getValueForField("ConsumedCapacity", Object.class).orElse(List.of());
		Collection<?> tables = (capacity instanceof Collection<?> several) ? several : List.of(capacity);
		return tables.stream()
			.map((table) -> ((ConsumedCapacity) table).capacityUnits())
			.mapToDouble((units) -> (units != null) ? units : 0)
			.sum();
	}

	/** DynamoDB charges a refused write, but does not report it. All items are small. */
	private static double unitsOfFailure(Context.FailedExecution context) {
		if (context.exception() instanceof ConditionalCheckFailedException) {
			return 1;
		}
		return (context.exception() instanceof TransactionCanceledException cancelled)
				? TRANSACTION * Math.max(1, cancelled.cancellationReasons().size()) : 0;
	}

	private void count(String operation, double units) {
		boolean read = READS.contains(operation);
		add(operation, read ? 0 : units, read ? units : 0);
		this.observer.called(operation, read ? 0 : units, read ? units : 0);
	}

	/** Adds a call, of this process or another one. */
	synchronized void add(String operation, double writes, double reads) {
		this.calls.merge(operation, 1L, Long::sum);
		this.writeUnits += writes;
		this.readUnits += reads;
	}

	/** Returns the capacity that was used so far. */
	synchronized Cost cost() {
		return new Cost(this.writeUnits, this.readUnits);
	}

	/** Returns how often each operation was called. */
	synchronized Map<String, Long> calls() {
		return new TreeMap<>(this.calls);
	}

	/** Returns how often an operation was called. */
	synchronized long calls(String operation) {
		@Nullable Long number = this.calls.get(operation);
		return (number != null) ? number : 0;
	}

	/** Receives each call. */
	@FunctionalInterface
	interface Observer {

		void called(String operation, double writeUnits, double readUnits);

	}

}

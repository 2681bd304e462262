/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * What one node sends to DynamoDB, and what becomes of it on the way. Each attempt counts
 * by itself. Thread-safe.
 */
final class StoreCalls implements ExecutionInterceptor {

	private final List<SdkRequest> sent = new CopyOnWriteArrayList<>();

	private volatile Consumer<SdkRequest> fate = (request) -> {
	};

	/** The attempts so far, or since they were cleared. */
	List<SdkRequest> all() {
		return List.copyOf(this.sent);
	}

	List<SdkRequest> writes() {
		return this.sent.stream().filter((request) -> !(request instanceof GetItemRequest)).toList();
	}

	void clear() {
		this.sent.clear();
	}

	/** Everything arrives. */
	void heal() {
		onEach((request) -> {
		});
	}

	/** DynamoDB refuses everything, as for want of a permission. */
	void refuse() {
		onEach((request) -> {
			throw failure(DynamoDbException.builder(), "AccessDeniedException");
		});
	}

	/** There is no such table. */
	void miss() {
		onEach((request) -> {
			throw failure(ResourceNotFoundException.builder(), "ResourceNotFoundException");
		});
	}

	/** DynamoDB cannot be reached. */
	void cut() {
		onEach((request) -> {
			throw SdkClientException.create("Connection reset", new IOException("The test cut the connection"));
		});
	}

	/** Transactions are under way on whatever is to be written next. */
	void conflict(int attempts) {
		AtomicInteger left = new AtomicInteger(attempts);
		onEach((request) -> {
			if (!(request instanceof GetItemRequest) && left.getAndDecrement() > 0) {
				throw failure(TransactionConflictException.builder(), "TransactionConflictException");
			}
		});
	}

	/** Does something before each attempt is sent, on the thread that sends it. */
	void onEach(Consumer<SdkRequest> action) {
		this.fate = action;
	}

	private static AwsServiceException failure(AwsServiceException.Builder builder, String code) {
		return builder.statusCode(400)
			.awsErrorDetails(AwsErrorDetails.builder()
				.serviceName("DynamoDb")
				.errorCode(code)
				.errorMessage("By the test")
				.build())
			.build();
	}

	@Override
	public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
		this.sent.add(context.request());
		this.fate.accept(context.request());
	}

}

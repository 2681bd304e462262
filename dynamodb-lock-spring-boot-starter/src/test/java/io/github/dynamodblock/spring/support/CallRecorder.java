/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.RequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * Writes down the requests of a client, and refuses those that it is told to refuse.
 */
public final class CallRecorder implements ExecutionInterceptor {

	private final List<SdkRequest> requests = new CopyOnWriteArrayList<>();

	private volatile Predicate<SdkRequest> denied = (request) -> false;

	/** Puts this recorder into a client. */
	public void attach(DynamoDbClientBuilder client) {
		client.overrideConfiguration((configuration) -> configuration.addExecutionInterceptor(this));
	}

	/** The requests so far, by the simple names of their classes. */
	public List<String> calls() {
		return this.requests.stream().map((request) -> request.getClass().getSimpleName()).toList();
	}

	/** How long each request so far may take in all, where it says so itself. */
	public List<Optional<Duration>> timeLimits() {
		return this.requests.stream()
			.map((request) -> request.overrideConfiguration().flatMap(RequestOverrideConfiguration::apiCallTimeout))
			.toList();
	}

	public void clear() {
		this.requests.clear();
	}

	/** From now on, answers such requests as a missing permission does. */
	public void deny(Predicate<SdkRequest> requests) {
		this.denied = requests;
	}

	@Override
	public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
		this.requests.add(context.request());
		if (this.denied.test(context.request())) {
			throw DynamoDbException.builder()
				.statusCode(400)
				.awsErrorDetails(AwsErrorDetails.builder()
					.errorCode("AccessDeniedException")
					.errorMessage("not authorized")
					.build())
				.build();
		}
	}

}

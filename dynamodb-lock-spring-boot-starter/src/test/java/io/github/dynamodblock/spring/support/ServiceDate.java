/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Dates DynamoDB's answers as if this machine's clock were wrong, or takes the date away.
 */
public final class ServiceDate implements ExecutionInterceptor {

	private static final DateTimeFormatter FORMAT = DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

	private volatile @Nullable Duration clockAhead = Duration.ZERO;

	/** Puts this into a client. */
	public void attach(DynamoDbClientBuilder client) {
		client.overrideConfiguration((configuration) -> configuration.addExecutionInterceptor(this));
	}

	/** From now on, this machine's clock seems to be ahead by so much. */
	public void clockIsAheadBy(Duration difference) {
		this.clockAhead = difference;
	}

	/** From now on, answers have no date. */
	public void isMissing() {
		this.clockAhead = null;
	}

	@Override
	public SdkHttpResponse modifyHttpResponse(Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
		Duration ahead = this.clockAhead;
		SdkHttpResponse.Builder response = context.httpResponse().toBuilder().removeHeader("Date");
		return ((ahead == null) ? response : response.putHeader("Date", FORMAT.format(Instant.now().minus(ahead))))
			.build();
	}

}

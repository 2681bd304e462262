/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.page;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Counts how often the table is listed, and lets that fail.
 */
final class TableCalls implements ExecutionInterceptor {

	private final List<SdkRequest> lists = new CopyOnWriteArrayList<>();

	private volatile boolean failing;

	long queries() {
		return this.lists.stream().filter(QueryRequest.class::isInstance).count();
	}

	long scans() {
		return this.lists.stream().filter(ScanRequest.class::isInstance).count();
	}

	void failing(boolean value) {
		this.failing = value;
	}

	@Override
	public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
		SdkRequest request = context.request();
		if (request instanceof QueryRequest || request instanceof ScanRequest) {
			this.lists.add(request);
			if (this.failing) {
				throw SdkClientException.create("The network is down");
			}
		}
	}

}

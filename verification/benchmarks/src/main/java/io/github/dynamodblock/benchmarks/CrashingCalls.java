/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Calls that fail from a moment on, as seen by everybody else a crash of the process.
 * Thread-safe.
 */
final class CrashingCalls implements ExecutionInterceptor {

	private static final ExecutionAttribute<Long> SENT = new ExecutionAttribute<>("CrashingCalls.Sent");

	private volatile boolean crashed;

	private long lastHeartbeat;

	void crash() {
		this.crashed = true;
	}

	/** The process was only paused. */
	void resume() {
		this.crashed = false;
	}

	/**
	 * When the last write was sent that was applied, by {@link System#nanoTime()}; the
	 * latency that is added to it comes after.
	 */
	synchronized long lastHeartbeat() {
		return this.lastHeartbeat;
	}

	@Override
	public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
		if (this.crashed) {
			throw SdkClientException.create("The process has crashed");
		}
		attributes.putAttribute(SENT, System.nanoTime());
	}

	@Override
	public synchronized void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
		if (context.request() instanceof UpdateItemRequest || context.request() instanceof PutItemRequest) {
			this.lastHeartbeat = attributes.getAttribute(SENT);
		}
	}

}

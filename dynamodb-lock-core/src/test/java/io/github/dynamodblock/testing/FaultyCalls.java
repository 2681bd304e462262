/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Makes calls of a DynamoDB client go wrong, as a test says. Every attempt is looked at
 * by itself, those that the SDK repeats too. Thread-safe. <pre>{@code
 * FaultyCalls faults = new FaultyCalls();
 * DynamoDbClient dynamoDb = TestDynamoDb.newClient(faults);
 * Injection lost = faults.inject(CallFault.answerLost(), LockCalls::isHeartbeat, 1);
 * }</pre>
 */
public final class FaultyCalls implements ExecutionInterceptor {

	private static final ExecutionAttribute<CallFault> FAULT = new ExecutionAttribute<>("FaultyCalls.Fault");

	private static final CallFault NONE = new CallFault() {
	};

	private final List<Injection> injections = new CopyOnWriteArrayList<>();

	/**
	 * Lets the next attempts go wrong.
	 * @param fault what happens to them
	 * @param requests to which ones
	 * @param attempts to how many of them
	 * @return tells how many of them there were
	 */
	public Injection inject(CallFault fault, Predicate<SdkRequest> requests, int attempts) {
		Injection injection = new Injection(fault, requests, attempts);
		this.injections.add(injection);
		return injection;
	}

	/**
	 * Lets attempts go wrong until the injection is stopped.
	 * @param fault what happens to them
	 * @param requests to which ones
	 * @return tells how many of them there were
	 */
	public Injection inject(CallFault fault, Predicate<SdkRequest> requests) {
		return inject(fault, requests, Integer.MAX_VALUE);
	}

	@Override
	public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
		CallFault fault = this.injections.stream()
			.filter((injection) -> injection.takes(context.request()))
			.map((injection) -> injection.fault)
			.findFirst()
			.orElse(NONE);
		attributes.putAttribute(FAULT, fault);
		fault.beforeSending(context.request());
	}

	@Override
	public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
		attributes.getAttribute(FAULT).beforeAnswer(context.request());
	}

	/**
	 * A fault that some attempts suffer.
	 */
	public static final class Injection {

		private final CallFault fault;

		private final Predicate<SdkRequest> requests;

		private final AtomicInteger left;

		private final AtomicInteger count = new AtomicInteger();

		private Injection(CallFault fault, Predicate<SdkRequest> requests, int attempts) {
			this.fault = fault;
			this.requests = requests;
			this.left = new AtomicInteger(attempts);
		}

		private boolean takes(SdkRequest request) {
			boolean taken = this.requests.test(request) && this.left.getAndUpdate((left) -> Math.max(0, left - 1)) > 0;
			if (taken) {
				this.count.incrementAndGet();
			}
			return taken;
		}

		/** How many attempts have suffered the fault. */
		public int count() {
			return this.count.get();
		}

		/** No further attempt suffers the fault. */
		public void stop() {
			this.left.set(0);
		}

	}

}

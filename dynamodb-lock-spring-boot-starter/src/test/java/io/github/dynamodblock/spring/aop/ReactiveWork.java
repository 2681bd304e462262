/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import io.github.dynamodblock.spring.support.CallRecorder;
import io.github.dynamodblock.spring.support.LockNode;
import io.github.dynamodblock.test.EmbeddedDynamoDb;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.awaitility.Awaitility.await;

/**
 * What a body of {@link ReactiveOrders} does, which a test ends.
 */
final class ReactiveWork {

	private final Sinks.Many<String> work = Sinks.many().unicast().onBackpressureBuffer();

	/** A node whose locks are lost soon after they were taken away. */
	static ApplicationContextRunner node(EmbeddedDynamoDb dynamoDb, CallRecorder calls) {
		return LockNode.of(dynamoDb, calls::attach)
			.withPropertyValues("dynamodb-lock.lease-duration=10s", "dynamodb-lock.heartbeat-period=400ms")
			.withBean(ReactiveOrders.class);
	}

	Flux<String> values() {
		return this.work.asFlux();
	}

	void awaitSubscribed() {
		await().until(() -> this.work.currentSubscriberCount() == 1);
	}

	void awaitCancelled() {
		await().until(() -> this.work.currentSubscriberCount() == 0);
	}

	void finish() {
		this.work.tryEmitNext("done").orThrow();
		this.work.tryEmitComplete().orThrow();
	}

	void fail(Throwable failure) {
		this.work.tryEmitError(failure).orThrow();
	}

}

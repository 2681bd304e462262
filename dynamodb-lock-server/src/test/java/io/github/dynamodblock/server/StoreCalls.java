/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What the service asks DynamoDB, which can be made to fail. Thread-safe.
 */
public final class StoreCalls implements ExecutionInterceptor {

	/** A consistent read. */
	public static final String READ = "read";

	/** A read that need not see the latest write. */
	public static final String STALE_READ = "stale read";

	public static final String WRITE = "write";

	private final List<String> made = new CopyOnWriteArrayList<>();

	private final Map<String, Integer> ports = new ConcurrentHashMap<>();

	private final Map<String, Integer> portsOfWrites = new ConcurrentHashMap<>();

	private final Map<String, String> tables = new ConcurrentHashMap<>();

	private final Map<String, CountDownLatch> heldUp = new ConcurrentHashMap<>();

	private final AtomicReference<@Nullable Runnable> beforeWrite = new AtomicReference<>();

	private final AtomicReference<@Nullable Runnable> insteadOfAnswer = new AtomicReference<>();

	/**
	 * Listens to a client.
	 * @param client the client
	 */
	public void attach(DynamoDbClientBuilder client) {
		client.overrideConfiguration((settings) -> settings.addExecutionInterceptor(this));
	}

	/**
	 * The calls since the last {@link #forget()}, in their order.
	 * @return what each one was
	 */
	public List<String> made() {
		return List.copyOf(this.made);
	}

	public void forget() {
		this.made.clear();
	}

	/**
	 * Sends what is asked of a namespace's locks somewhere else on this machine.
	 * @param namespace the namespace
	 * @param other the port
	 */
	public void goTo(String namespace, int other) {
		this.ports.put(namespace, other);
	}

	/**
	 * Sends what is written on a namespace's locks somewhere else on this machine.
	 * @param namespace the namespace
	 * @param other the port
	 */
	public void writeTo(String namespace, int other) {
		this.portsOfWrites.put(namespace, other);
	}

	/**
	 * Looks for a namespace's locks in another table.
	 * @param namespace the namespace
	 * @param other the table
	 */
	public void askFor(String namespace, String other) {
		this.tables.put(namespace, other);
	}

	/**
	 * Does something when the next write is about to be sent.
	 * @param action what; may make calls of its own
	 */
	public void beforeNextWrite(Runnable action) {
		this.beforeWrite.set(action);
	}

	/**
	 * Loses the answer to the next write, which DynamoDB has applied. The SDK sends the
	 * write again.
	 * @param meanwhile what is done before it does; may make calls of its own
	 */
	public void loseNextAnswer(Runnable meanwhile) {
		this.insteadOfAnswer.set(meanwhile);
	}

	/**
	 * Holds up what is asked of a namespace's locks, until the faults end.
	 * @param namespace the namespace
	 */
	public void holdUp(String namespace) {
		this.heldUp.put(namespace, new CountDownLatch(1));
	}

	/** Ends all faults. */
	public void mend() {
		this.heldUp.values().forEach(CountDownLatch::countDown);
		this.heldUp.clear();
		this.ports.clear();
		this.portsOfWrites.clear();
		this.tables.clear();
	}

	@Override
	public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
		if (context.request() instanceof GetItemRequest read) {
			this.made.add(read.consistentRead() ? READ : STALE_READ);
		}
		else if (context.request() instanceof UpdateItemRequest) {
			this.made.add(WRITE);
			Runnable action = this.beforeWrite.getAndSet(null);
			if (action != null) {
				action.run();
			}
		}
		else {
			this.made.add(context.request().getClass().getSimpleName());
		}
		CountDownLatch latch = ofNamespace(this.heldUp, context.request());
		if (latch != null) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
		String other = ofNamespace(this.tables, context.request());
		if (other != null && context.request() instanceof GetItemRequest read) {
			return read.toBuilder().tableName(other).build();
		}
		if (other != null && context.request() instanceof UpdateItemRequest write) {
			return write.toBuilder().tableName(other).build();
		}
		return context.request();
	}

	@Override
	public SdkHttpRequest modifyHttpRequest(Context.ModifyHttpRequest context, ExecutionAttributes attributes) {
		Integer other = ofNamespace(this.ports, context.request());
		if (other == null && context.request() instanceof UpdateItemRequest) {
			other = ofNamespace(this.portsOfWrites, context.request());
		}
		if (other == null) {
			return context.httpRequest();
		}
		int port = other;
		return context.httpRequest().copy((request) -> request.port(port));
	}

	@Override
	public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
		if (context.request() instanceof UpdateItemRequest) {
			Runnable action = this.insteadOfAnswer.getAndSet(null);
			if (action != null) {
				action.run();
				throw RetryableException.create("The answer was lost");
			}
		}
	}

	private static <T> @Nullable T ofNamespace(Map<String, T> faults, SdkRequest request) {
		Map<String, AttributeValue> key = Map.of();
		if (request instanceof GetItemRequest read) {
			key = read.key();
		}
		else if (request instanceof UpdateItemRequest write) {
			key = write.key();
		}
		AttributeValue namespace = key.get("namespace");
		return (namespace == null) ? null : faults.get(namespace.s());
	}

}

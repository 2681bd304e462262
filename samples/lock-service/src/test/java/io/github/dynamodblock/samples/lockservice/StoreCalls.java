/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
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

	private volatile @Nullable Integer port;

	private volatile @Nullable String table;

	private final AtomicReference<@Nullable Runnable> beforeWrite = new AtomicReference<>();

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
	 * Sends calls somewhere else on this machine.
	 * @param other the port
	 */
	public void goTo(int other) {
		this.port = other;
	}

	/**
	 * Asks for another table.
	 * @param other the table
	 */
	public void askFor(String other) {
		this.table = other;
	}

	/**
	 * Does something when the next write is about to be sent.
	 * @param action what; may make calls of its own
	 */
	public void beforeNextWrite(Runnable action) {
		this.beforeWrite.set(action);
	}

	/** Ends all faults. */
	public void mend() {
		this.port = null;
		this.table = null;
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
	}

	@Override
	public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
		String other = this.table;
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
		Integer other = this.port;
		return (other == null) ? context.httpRequest() : context.httpRequest().copy((request) -> request.port(other));
	}

}

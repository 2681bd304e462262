/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.ordersapi;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.github.dynamodblock.verification.harness.ApplicationNode;
import io.github.dynamodblock.verification.harness.Reporter;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.event.EventListener;

import static java.util.stream.Collectors.joining;

/**
 * Holds back a transaction of a node: the lock client has just checked that the lock is
 * held, and DynamoDB has not received the transaction. Not a component, so that the
 * application does not find it.
 */
public class WriteInterceptor implements BeanPostProcessor {

	/** The node holds back its next transaction. */
	static final String HOLD_BACK = "hold-back";

	/** The node sends the transaction that it holds back. */
	static final String SEND = "send";

	/** The node has received {@link #HOLD_BACK}. */
	static final String HOLDS_BACK = "HOLDS_BACK";

	/** A transaction is held back. */
	static final String WRITES = "WRITES";

	/** DynamoDB cancelled that transaction. The subject is the reasons' codes. */
	static final String CANCELLED = "CANCELLED";

	/** The property that, if false, removes the condition on the lock. */
	static final String GUARD = "demo.guard";

	private final AtomicReference<@Nullable CountDownLatch> next = new AtomicReference<>();

	private final CountDownLatch send = new CountDownLatch(1);

	private final ObjectProvider<Reporter> reporter;

	private final boolean guard;

	WriteInterceptor(ObjectProvider<Reporter> reporter, @Value("${" + GUARD + "}") boolean guard) {
		this.reporter = reporter;
		this.guard = guard;
	}

	@EventListener
	void receive(ApplicationNode.Order order) {
		if (order.text().equals(HOLD_BACK)) {
			this.next.set(this.send);
			this.reporter.getObject().report(HOLDS_BACK, "");
		}
		else if (order.text().equals(SEND)) {
			this.send.countDown();
		}
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof DynamoDbClient client) ? intercepted(client) : bean;
	}

	private DynamoDbClient intercepted(DynamoDbClient client) {
		return (DynamoDbClient) Proxy.newProxyInstance(DynamoDbClient.class.getClassLoader(),
				new Class<?>[] { DynamoDbClient.class }, (proxy, method, arguments) -> call(client, method, arguments));
	}

	private @Nullable Object call(DynamoDbClient client, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		if (arguments != null && arguments[0] instanceof TransactWriteItemsRequest request) {
			return transact(client, this.guard ? request : withoutTheCondition(request));
		}
		try {
			return method.invoke(client, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private TransactWriteItemsResponse transact(DynamoDbClient client, TransactWriteItemsRequest request)
			throws InterruptedException {
		CountDownLatch held = this.next.getAndSet(null);
		if (held == null) {
			return client.transactWriteItems(request);
		}
		this.reporter.getObject().report(WRITES, "");
		held.await();
		try {
			return client.transactWriteItems(withoutTheLimit(request));
		}
		catch (TransactionCanceledException ex) {
			this.reporter.getObject()
				.report(CANCELLED,
						ex.cancellationReasons().stream().map(CancellationReason::code).collect(joining(",")));
			throw ex;
		}
	}

	/** The write must reach DynamoDB, however slow this machine is after its pause. */
	private static TransactWriteItemsRequest withoutTheLimit(TransactWriteItemsRequest request) {
		return request.toBuilder().overrideConfiguration((override) -> override.apiCallTimeout(null)).build();
	}

	private static TransactWriteItemsRequest withoutTheCondition(TransactWriteItemsRequest request) {
		return request.toBuilder()
			.transactItems(request.transactItems().stream().filter((item) -> item.conditionCheck() == null).toList())
			.build();
	}

}

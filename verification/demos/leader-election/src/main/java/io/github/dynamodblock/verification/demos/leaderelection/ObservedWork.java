/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.demos.leaderelection;

import java.util.function.Supplier;

import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import io.github.dynamodblock.verification.harness.Reporter;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Observes the sample's beans, which do not know it: reads the ledger's token before the
 * bookkeeper checks its lock, and reports each line that the ledger adds or refuses.
 */
class ObservedWork implements BeanPostProcessor {

	private final Supplier<Reporter> reporter;

	private final Supplier<DynamoDbLockRegistry> registry;

	private final Supplier<DynamoDbClient> dynamoDb;

	private volatile long tokenRead;

	/** Takes suppliers, so that no bean is created before its post processors. */
	ObservedWork(Supplier<Reporter> reporter, Supplier<DynamoDbLockRegistry> registry,
			Supplier<DynamoDbClient> dynamoDb) {
		this.reporter = reporter;
		this.registry = registry;
		this.dynamoDb = dynamoDb;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return switch (beanName) {
			case "bookkeeper" -> advise(bean, this::work);
			case "ledger" -> advise(bean, this::write);
			default -> bean;
		};
	}

	private static Object advise(Object bean, MethodInterceptor advice) {
		ProxyFactory proxy = new ProxyFactory(bean);
		proxy.setProxyTargetClass(true);
		proxy.addAdvice(advice);
		return proxy.getProxy();
	}

	private @Nullable Object work(MethodInvocation call) throws Throwable {
		// A follower does not read.
		if (this.registry.get().heldLock(LeaderElectionDemo.ROLE).isPresent()) {
			this.tokenRead = LedgerTable.fencingToken(this.dynamoDb.get());
		}
		return call.proceed();
	}

	private @Nullable Object write(MethodInvocation call) throws Throwable {
		@Nullable Object[] arguments = call.getArguments();
		return switch (call.getMethod().getName()) {
			case "begin" -> write(call, false, number(arguments[0]), 0);
			case "add" -> write(call, true, number(arguments[1]), number(arguments[0]));
			default -> call.proceed();
		};
	}

	private @Nullable Object write(MethodInvocation call, boolean addsLine, long token, long line) throws Throwable {
		try {
			Object result = call.proceed();
			if (addsLine) {
				this.reporter.get().report(ObservedNode.WORKS, "", token, line, this.tokenRead);
			}
			return result;
		}
		catch (ConditionalCheckFailedException ex) {
			this.reporter.get().report(ObservedNode.REFUSED, "", token, line, this.tokenRead);
			throw ex;
		}
	}

	private static long number(@Nullable Object argument) {
		if (argument instanceof Long number) {
			return number;
		}
		throw new IllegalArgumentException("The sample's ledger takes numbers, not " + argument);
	}

}

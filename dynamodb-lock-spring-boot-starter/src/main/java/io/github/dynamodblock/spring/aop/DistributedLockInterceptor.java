/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import io.github.dynamodblock.spring.OnBusy;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.support.AopUtils;

/**
 * Runs an annotated method while it holds the method's lock. The client and the naming
 * are asked for at the first call, so that the advice makes no bean before its time.
 */
final class DistributedLockInterceptor implements MethodInterceptor {

	private static final Logger logger = LoggerFactory.getLogger(DistributedLockInterceptor.class);

	private final LockDefinitions definitions;

	private final Supplier<LockClient> client;

	private final Supplier<LockNaming> naming;

	DistributedLockInterceptor(LockDefinitions definitions, Supplier<LockClient> client, Supplier<LockNaming> naming) {
		this.definitions = definitions;
		this.client = client;
		this.naming = naming;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = Objects.requireNonNull(invocation.getThis(), "The proxy of an annotated method has no target");
		LockDefinition definition = this.definitions.get(invocation.getMethod(), AopUtils.getTargetClass(target));
		LockKey key = key(definition, invocation.getArguments(), target);
		LockClient lockClient = this.client.get();
		Optional<HeldLock> outer = LockContext.find(lockClient, key);
		if (outer.isPresent()) {
			outer.get().ensureHeld();
			return invocation.proceed();
		}
		HeldLock lock = acquire(lockClient, definition, key, invocation.getMethod());
		return (lock != null) ? proceed(invocation, definition, lockClient, lock) : definition.busyResult();
	}

	private LockKey key(LockDefinition definition, @Nullable Object[] arguments, Object target) {
		KeyExpression expression = definition.key();
		String value = (expression != null) ? expression.evaluate(arguments, target) : null;
		try {
			return this.naming.get().key(definition.name(), value);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"@DistributedLock on " + definition.location() + ": no lock has such a key. " + ex.getMessage(),
					ex);
		}
	}

	private @Nullable HeldLock acquire(LockClient lockClient, LockDefinition definition, LockKey key, Method method)
			throws InterruptedException {
		try {
			return lockClient.acquire(definition.request(key));
		}
		catch (LockNotGrantedException ex) {
			if (definition.onBusy() == OnBusy.THROW) {
				throw ex;
			}
			logger.debug("Skipped {}: {}", definition.location(), ex.getMessage());
			return null;
		}
		catch (InterruptedException ex) {
			if (Arrays.stream(method.getExceptionTypes())
				.anyMatch((type) -> type.isAssignableFrom(InterruptedException.class))) {
				throw ex;
			}
			Thread.currentThread().interrupt();
			throw new LockWaitInterruptedException(key, definition.location(), ex);
		}
	}

	private @Nullable Object proceed(MethodInvocation invocation, LockDefinition definition, LockClient lockClient,
			HeldLock lock) throws Throwable {
		Throwable failure = null;
		try (LockContext.Scope scope = LockContext.open(lockClient, lock)) {
			return invocation.proceed();
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			release(definition, lock, failure);
		}
	}

	/** Never throws: what the method returned or threw is what the caller gets. */
	private static void release(LockDefinition definition, HeldLock lock, @Nullable Throwable failure) {
		try {
			lock.release();
		}
		catch (RuntimeException ex) {
			if (failure != null) {
				failure.addSuppressed(ex);
			}
			logger.warn("Lock '{}' could not be released after {}; it is free at the latest one lease after its last "
					+ "heartbeat", lock.key(), definition.location(), ex);
		}
		lock.lossReason()
			.ifPresent((reason) -> logger.error(
					"Lock '{}' (fencing token {}) was lost while {} ran: {}. Another node may have run at the same time",
					lock.key(), lock.fencingToken(), definition.location(), reason));
	}

}

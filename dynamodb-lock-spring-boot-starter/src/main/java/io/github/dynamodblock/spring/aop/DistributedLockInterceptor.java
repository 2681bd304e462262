/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

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

	private final ByLockClient<LockClient> clients;

	private final ByLockClient<LockNaming> namings;

	DistributedLockInterceptor(LockDefinitions definitions, ByLockClient<LockClient> clients,
			ByLockClient<LockNaming> namings) {
		this.definitions = definitions;
		this.clients = clients;
		this.namings = namings;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = Objects.requireNonNull(invocation.getThis(), "The proxy of an annotated method has no target");
		LockDefinition definition = this.definitions.get(invocation.getMethod(), AopUtils.getTargetClass(target));
		if (definition.returnKind().compareTo(ReturnKind.FUTURE) >= 0) {
			throw new UnsupportedOperationException(
					"@DistributedLock on " + definition.location() + ": " + definition.returnKind());
		}
		LockKey key = key(definition, invocation.getArguments(), target);
		LockClient lockClient = this.clients.get(definition.lockClient());
		Optional<HeldLock> outer = LockContext.find(lockClient, key);
		if (outer.isPresent()) {
			outer.get().ensureHeld();
			return invocation.proceed();
		}
		HeldLock lock;
		try {
			lock = acquire(lockClient, definition, key, invocation.getMethod());
		}
		catch (LockNotGrantedException ex) {
			return notGranted(definition, invocation, target, ex);
		}
		return proceed(invocation, definition, lockClient, lock);
	}

	private LockKey key(LockDefinition definition, @Nullable Object[] arguments, Object target) {
		KeyExpression expression = definition.key();
		List<String> values = (expression != null) ? expression.evaluate(arguments, target) : List.of();
		if (values.size() > 1) {
			throw new UnsupportedOperationException(
					"@DistributedLock on " + definition.location() + ": several keys " + values);
		}
		try {
			return this.namings.get(definition.lockClient())
				.key(definition.name(), values.isEmpty() ? null : values.get(0));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"@DistributedLock on " + definition.location() + ": no lock has such a key. " + ex.getMessage(),
					ex);
		}
	}

	private @Nullable Object notGranted(LockDefinition definition, MethodInvocation invocation, Object target,
			LockNotGrantedException refusal) throws Throwable {
		if (definition.onBusy() == OnBusy.THROW) {
			throw refusal;
		}
		if (definition.fallback() != null) {
			return definition.fallback().invoke(target, invocation.getArguments(), refusal);
		}
		logger.debug("Skipped {}: {}", definition.location(), refusal.getMessage());
		return switch (definition.returnKind()) {
			case OPTIONAL -> Optional.empty();
			case OPTIONAL_INT -> OptionalInt.empty();
			case OPTIONAL_LONG -> OptionalLong.empty();
			case OPTIONAL_DOUBLE -> OptionalDouble.empty();
			default -> null;
		};
	}

	private HeldLock acquire(LockClient lockClient, LockDefinition definition, LockKey key, Method method)
			throws InterruptedException {
		try {
			return lockClient.acquire(definition.request(key));
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

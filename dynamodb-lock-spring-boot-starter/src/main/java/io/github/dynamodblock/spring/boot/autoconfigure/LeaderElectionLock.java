/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import io.github.dynamodblock.Printable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * The lock of a role, which logs a WARN when it cannot be acquired or found busy. The
 * initiator logs that at debug level only, so that an election that can never succeed
 * would be silent.
 */
final class LeaderElectionLock implements Lock {

	private static final Logger logger = LoggerFactory.getLogger(LeaderElectionLock.class);

	private final Object role;

	private final Lock lock;

	/** Causes that were logged since DynamoDB last answered. */
	private final Set<String> logged = ConcurrentHashMap.newKeySet();

	private LeaderElectionLock(Object role, Lock lock) {
		this.role = role;
		this.lock = lock;
	}

	/** A view of a registry for an initiator. */
	static LockRegistry<Lock> of(LockRegistry<?> registry) {
		return (role) -> new LeaderElectionLock(role, registry.obtain(role));
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		boolean acquired;
		try {
			acquired = this.lock.tryLock(time, unit);
		}
		catch (RuntimeException ex) {
			if (this.logged.add(kind(ex))) {
				logger.warn(
						"Leader election for role '{}' could not reach the lock; retrying. "
								+ "The same cause is not logged again until the lock has answered. {}",
						Printable.of(String.valueOf(this.role)), ex.getMessage());
				logger.debug("Stack trace of the failure above", ex);
			}
			throw ex;
		}
		if (!this.logged.isEmpty()) {
			this.logged.clear();
			logger.info("Leader election for role '{}' reaches the lock again",
					Printable.of(String.valueOf(this.role)));
		}
		return acquired;
	}

	/** The cause without its message, which has the id of the request. */
	private static String kind(RuntimeException failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		AwsErrorDetails details = (cause instanceof AwsServiceException refused) ? refused.awsErrorDetails() : null;
		return failure.getClass().getName() + " " + cause.getClass().getName()
				+ ((details != null) ? " " + details.errorCode() : "");
	}

	@Override
	public void lock() {
		this.lock.lock();
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		this.lock.lockInterruptibly();
	}

	@Override
	public boolean tryLock() {
		return this.lock.tryLock();
	}

	@Override
	public void unlock() {
		this.lock.unlock();
	}

	@Override
	public Condition newCondition() {
		return this.lock.newCondition();
	}

}

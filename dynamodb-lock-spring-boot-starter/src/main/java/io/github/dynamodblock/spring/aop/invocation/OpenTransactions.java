/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.spring.LockContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Warns of locks that are taken in an open transaction: they are released before it
 * commits. Thread-safe.
 */
final class OpenTransactions {

	private static final Logger logger = LoggerFactory.getLogger(OpenTransactions.class);

	// Transactions need not be there.
	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			OpenTransactions.class.getClassLoader());

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Logs a WARN, once for each method, when the caller's transaction ends, if the call
	 * is to take a separate lock.
	 * @param call the call, before it takes its locks
	 */
	void report(LockedCall call) {
		// A transaction that has ended stays active until all callbacks have run, of
		// which
		// the last ones find no synchronization any more.
		if (PRESENT && TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive() && !joins(call)
				&& !this.warned.contains(call.definition().location())) {
			BeforeItsEnd.register(this, call.definition().location());
		}
	}

	private void warn(String location) {
		if (this.warned.add(location)) {
			logger.warn("Lock annotation on {}: it was called in an open transaction, which commits after the lock "
					+ "is released, when the next owner may have read the old data. Begin the transaction inside the "
					+ "lock: take the lock around it, or use a TransactionTemplate in the method", location);
		}
	}

	private static boolean joins(LockedCall call) {
		return call.keys().stream().allMatch((key) -> LockContext.find(call.client(), key).isPresent());
	}

	/**
	 * Called before a transaction ends; not if it was registered after the commit, by a
	 * call that is not part of the transaction. Loaded only where transactions are there.
	 */
	private record BeforeItsEnd(OpenTransactions transactions, String location) implements TransactionSynchronization {

		static void register(OpenTransactions transactions, String location) {
			TransactionSynchronizationManager.registerSynchronization(new BeforeItsEnd(transactions, location));
		}

		@Override
		public void beforeCompletion() {
			this.transactions.warn(this.location);
		}

	}

}

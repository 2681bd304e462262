/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.LockClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Warns about locks that are acquired in an open transaction, because they are released
 * before the transaction commits. Thread-safe.
 */
final class OpenTransactions {

	private static final Logger logger = LoggerFactory.getLogger(OpenTransactions.class);

	// Spring's transactions are optional.
	private static final boolean PRESENT = ClassUtils.isPresent(
			"org.springframework.transaction.support.TransactionSynchronizationManager",
			OpenTransactions.class.getClassLoader());

	private static final Set<Class<?>> OWN = Set.of(OpenTransactions.class, LockTemplate.class);

	/** The work about which a warning was logged, by lock client. */
	private static final Map<LockClient, Set<String>> WARNED = Collections.synchronizedMap(new WeakHashMap<>());

	private OpenTransactions() {
	}

	/**
	 * Logs a WARN when the caller's transaction ends, once for each client and work, if
	 * an execution acquires a lock that the caller does not hold.
	 * @param execution the execution, before it acquires its locks
	 * @param client the client that grants them
	 */
	static void report(LockedExecution execution, LockClient client) {
		// A transaction that has ended stays active until all callbacks have run. The
		// last callbacks find no synchronization any more.
		if (PRESENT && TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive()
				&& execution.requests()
					.stream()
					.anyMatch((request) -> LockContext.capture().find(client, request).isEmpty())) {
			BeforeItsEnd.register(WARNED.computeIfAbsent(client, (any) -> ConcurrentHashMap.newKeySet()),
					execution.work());
		}
	}

	/**
	 * Adds a template's caller to the name of its work, if the warning needs it.
	 * @param work the name of the work, which all callers of the template share
	 * @return the name of the work
	 */
	static String calledBy(String work) {
		if (!PRESENT || !TransactionSynchronizationManager.isActualTransactionActive()) {
			return work;
		}
		return work + StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
			.walk((frames) -> frames.filter((frame) -> !OWN.contains(frame.getDeclaringClass())).findFirst())
			.map((caller) -> " in " + caller)
			.orElse("");
	}

	/**
	 * Called before a transaction ends. If it is registered after the commit, it is not
	 * called, because that call is not part of the transaction. Loaded only if Spring's
	 * transactions are present.
	 */
	private record BeforeItsEnd(Set<String> warned, String work) implements TransactionSynchronization {

		static void register(Set<String> warned, String work) {
			if (!warned.contains(work)) {
				TransactionSynchronizationManager.registerSynchronization(new BeforeItsEnd(warned, work));
			}
		}

		@Override
		public void beforeCompletion() {
			if (this.warned.add(this.work)) {
				logger.warn("{} was called in an open transaction, which commits after the lock is released. By then, "
						+ "the next owner may have read the old data. Begin the transaction inside the lock: lock the "
						+ "method that begins it, or use a TransactionTemplate while the lock is held", this.work);
			}
		}

	}

}

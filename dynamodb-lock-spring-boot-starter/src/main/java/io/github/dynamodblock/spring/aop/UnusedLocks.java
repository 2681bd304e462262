/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.time.Duration;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back locks under which nothing ran, because another one of the same call was not
 * granted, or nobody wants the result any more.
 */
final class UnusedLocks {

	private static final Logger logger = LoggerFactory.getLogger(UnusedLocks.class);

	private UnusedLocks() {
	}

	/**
	 * Frees a lock at once, even one that was to be held for a time. Logs what fails: why
	 * the lock was not used is what the caller wants to know.
	 * @param client the client that granted it
	 * @param definition what it was for
	 * @param lock the lock
	 */
	static void release(LockClient client, LockDefinition definition, HeldLock lock) {
		boolean interrupted = Thread.interrupted();
		try {
			if (definition.holdAtLeast().compareTo(Duration.ZERO) > 0 && lock.isHeld()) {
				// A release would keep it for the rest of that time.
				client.release(lock.detach());
			}
			else {
				lock.release();
			}
		}
		catch (InterruptedException ex) {
			interrupted = true;
			lock.close();
		}
		catch (RuntimeException ex) {
			logger.warn(
					"Lock '{}', which was taken for {} and not used, could not be released; it is free at the "
							+ "latest one lease after its last heartbeat. {}",
					lock.key(), definition.location(), ex.getMessage());
			logger.debug("Stack trace of the failed release", ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}

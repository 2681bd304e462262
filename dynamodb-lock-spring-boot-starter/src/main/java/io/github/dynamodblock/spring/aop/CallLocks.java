/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.dynamodblock.HeldLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks under which the body of one call runs. Immutable.
 *
 * @param definition what the annotation says
 * @param all the locks in the order of their keys
 * @param taken those of them that the call has acquired itself and has to release; it
 * joined the others
 */
record CallLocks(LockDefinition definition, List<HeldLock> all, List<HeldLock> taken) {

	private static final Logger logger = LoggerFactory.getLogger(CallLocks.class);

	CallLocks {
		all = List.copyOf(all);
		taken = List.copyOf(taken);
	}

	/**
	 * Gives back what the call took, the last one first, and logs under what was lost it
	 * ran; the client has logged the loss itself. Never throws: what the body gave or
	 * threw is what the caller gets.
	 * @param failure what the body threw, which is told of a failure here; or
	 * {@code null}
	 */
	void release(@Nullable Throwable failure) {
		for (HeldLock lock : reversed(this.taken)) {
			release(lock, failure);
			lock.lossReason()
				.ifPresent((reason) -> logger.info(
						"Lock '{}' (fencing token {}) was lost while {} ran: {}. Another node may have run at the same time",
						lock.key(), lock.fencingToken(), this.definition.location(), reason));
		}
	}

	private void release(HeldLock lock, @Nullable Throwable failure) {
		try {
			lock.release();
		}
		catch (RuntimeException ex) {
			if (failure != null) {
				failure.addSuppressed(ex);
			}
			logger.warn("Lock '{}' could not be released after {}; it is free at the latest one lease after its last "
					+ "heartbeat. {}", lock.key(), this.definition.location(), ex.getMessage());
			logger.debug("Stack trace of the failed release", ex);
		}
	}

	/**
	 * Says so if what the call joined was released before the call ended. Only a result
	 * that comes later can outlive the call around it.
	 */
	void reportOutlived() {
		for (HeldLock lock : this.all) {
			if (!this.taken.contains(lock) && !lock.isHeld() && lock.lossReason().isEmpty()) {
				logger
					.warn("{} went on after lock '{}' was released: it had joined the lock of a call around it, which "
							+ "ended first. Let that call wait for it", this.definition.location(), lock.key());
			}
		}
	}

	static List<HeldLock> reversed(List<HeldLock> locks) {
		List<HeldLock> reversed = new ArrayList<>(locks);
		Collections.reverse(reversed);
		return reversed;
	}

}

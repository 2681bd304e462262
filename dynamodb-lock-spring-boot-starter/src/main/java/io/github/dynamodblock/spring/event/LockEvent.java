/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;

/**
 * An application event about a lock of this application. Events are published on threads
 * of the lock client: in order for one {@link HeldLock}, concurrently for different
 * locks. Listeners delay neither the lock nor its holder, and their exceptions are
 * logged. When an event arrives, the lock may have changed again; {@link #lock()} shows
 * its current state.
 *
 * <pre class="code"> &#64;EventListener void log(LockEvent event) { logger.info("{} {}",
 * event.getClass().getSimpleName(), event.key()); } </pre>
 */
public sealed interface LockEvent permits LockAcquiredEvent, LockContendedEvent, LockExpiringEvent, LockLostEvent,
		LockReleasedEvent, LockTakenOverEvent {

	/**
	 * Returns the lock.
	 * @return the handle of the acquired lock
	 */
	HeldLock lock();

	/**
	 * Returns the lock's key.
	 * @return the key
	 */
	default LockKey key() {
		return lock().key();
	}

	/**
	 * Returns the lock's name in metrics and logs.
	 * @return the name from the annotation, template or request; empty if there is none
	 */
	default Optional<String> name() {
		return lock().name();
	}

	/**
	 * Returns the fencing token of the acquisition.
	 * @return the fencing token
	 */
	default long fencingToken() {
		return lock().fencingToken();
	}

}

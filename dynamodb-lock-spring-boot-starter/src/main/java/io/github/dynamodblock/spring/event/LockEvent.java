/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.event;

import java.util.Optional;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;

/**
 * Something became of a lock of this application; an application event. Events of one
 * {@link HeldLock} come in order, those of different locks at the same time, on threads
 * of the lock client. Listeners delay neither the lock nor its holder, and what they
 * throw is logged. By the time of the event, the lock may have changed again: ask it.
 *
 * <pre class="code">
 * &#64;EventListener
 * void log(LockEvent event) {
 *     logger.info("{} {}", event.getClass().getSimpleName(), event.key());
 * }
 * </pre>
 */
public sealed interface LockEvent
		permits LockAcquiredEvent, LockExpiringEvent, LockLostEvent, LockReleasedEvent, LockTakenOverEvent {

	/**
	 * The lock.
	 * @return the handle of the acquisition that this event is about
	 */
	HeldLock lock();

	/**
	 * Which lock it is.
	 * @return the key
	 */
	default LockKey key() {
		return lock().key();
	}

	/**
	 * What metrics and logs call the lock.
	 * @return the name of the annotation, template or request; empty if it has none
	 */
	default Optional<String> name() {
		return lock().name();
	}

	/**
	 * The number of the acquisition.
	 * @return the fencing token
	 */
	default long fencingToken() {
		return lock().fencingToken();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what goes wrong while one client's acquisitions are observed: the first time as a
 * warning, then for those who look, since it may happen with every lock. Thread-safe.
 */
final class ObservationFailures {

	private static final Logger logger = LoggerFactory.getLogger(ObservationFailures.class);

	private final String clientName;

	private final AtomicBoolean warned = new AtomicBoolean();

	ObservationFailures(String clientName) {
		this.clientName = clientName;
	}

	void report(String what, Throwable failure) {
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("An acquisition of lock client '{}' could not be {} as an observation, which harms no lock: a "
					+ "handler, filter or convention of the ObservationRegistry failed. What fails from now on is logged "
					+ "as DEBUG", this.clientName, what, failure);
		}
		else {
			logger.debug("An acquisition of lock client '{}' could not be {} as an observation", this.clientName, what,
					failure);
		}
	}

}

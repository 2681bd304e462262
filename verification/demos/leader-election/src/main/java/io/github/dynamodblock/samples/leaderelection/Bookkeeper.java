/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The work that only the leader does: it adds lines to a ledger.
 */
@Component
class Bookkeeper {

	private static final Logger logger = LoggerFactory.getLogger(Bookkeeper.class);

	private final DynamoDbLockRegistry registry;

	private final Ledger ledger;

	Bookkeeper(DynamoDbLockRegistry registry, Ledger ledger) {
		this.registry = registry;
		this.ledger = ledger;
	}

	/**
	 * Adds one line if this node leads. Asks the lock itself before every line: election
	 * events come late, and the lock knows when its lease has expired. If this thread is
	 * paused between the question and the line, the ledger refuses the line by its token.
	 */
	@Scheduled(fixedDelay = 50, timeUnit = TimeUnit.MILLISECONDS)
	void addLine() {
		HeldLock leadership = this.registry.heldLock(LeaderElectionApplication.ROLE).orElse(null);
		if (leadership == null) {
			return;
		}
		Ledger.State state = this.ledger.read();
		if (leadership.isHeld() && !this.ledger.add(state.lines() + 1, leadership.fencingToken())) {
			logger.warn("The ledger refused a line with token {}: a later leader has written",
					leadership.fencingToken());
		}
	}

}

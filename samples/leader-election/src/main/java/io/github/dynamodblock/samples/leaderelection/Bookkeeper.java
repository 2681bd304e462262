/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.samples.leaderelection.ledger.LedgerClient;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The work that only the leader does: it writes into a ledger.
 */
@Component
class Bookkeeper {

	private static final Logger logger = LoggerFactory.getLogger(Bookkeeper.class);

	private final String role;

	private final DynamoDbLockRegistry registry;

	private final LedgerClient ledger;

	Bookkeeper(@Value("${dynamodb-lock.leader.role}") String role, DynamoDbLockRegistry registry, LedgerClient ledger) {
		this.role = role;
		this.registry = registry;
		this.ledger = ledger;
	}

	/**
	 * Writes one line if this node leads. It asks the lock itself, before every line: the
	 * events of the election come after the fact, the lock knows when its lease has run
	 * out. Should this thread be stopped between the question and the line, the ledger
	 * refuses the line for its token.
	 * @throws IOException if the ledger cannot be reached
	 */
	@Scheduled(fixedDelay = 50, timeUnit = TimeUnit.MILLISECONDS)
	void writeLine() throws IOException {
		HeldLock leadership = this.registry.heldLock(this.role).orElse(null);
		if (leadership == null) {
			return;
		}
		int read = this.ledger.lines();
		if (leadership.isHeld() && !this.ledger.write(leadership.fencingToken(), read)) {
			logger.warn("The ledger refused a line under token {}: it has one of a later leader",
					leadership.fencingToken());
		}
	}

}

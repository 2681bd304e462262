/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.integration.DynamoDbLockRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The leader's work: adds lines to the ledger.
 */
@Component
class Bookkeeper {

	private static final Logger logger = LoggerFactory.getLogger(Bookkeeper.class);

	private final DynamoDbLockRegistry registry;

	private final Ledger ledger;

	/** Fencing token of the last term that this node began. */
	private long term;

	private long lines;

	Bookkeeper(DynamoDbLockRegistry registry, Ledger ledger) {
		this.registry = registry;
		this.ledger = ledger;
	}

	/**
	 * Adds a line if this node is the leader. Checks the lock each time, because the last
	 * leadership event may be out of date.
	 */
	@Scheduled(fixedDelayString = "${ledger.interval:1s}")
	void addLine() {
		this.registry.heldLock(LeaderElectionApplication.ROLE).filter(HeldLock::isHeld).ifPresent(this::addLine);
	}

	private void addLine(HeldLock leadership) {
		long token = leadership.fencingToken();
		try {
			if (token != this.term) {
				this.lines = this.ledger.begin(token);
				this.term = token;
				logger.info("{} leads: term {} begins after line {}", leadership.record().ownerName(), token,
						this.lines);
			}
			this.ledger.add(this.lines + 1, token);
			this.lines++;
			logger.info("Line {} added", this.lines);
		}
		catch (ConditionalCheckFailedException ex) {
			// This node was paused for longer than its lease after it had checked the
			// lock.
			logger.warn("Line refused: a term after {} has begun", token);
		}
	}

}

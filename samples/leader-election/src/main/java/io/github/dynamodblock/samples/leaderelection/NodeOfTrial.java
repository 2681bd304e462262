/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import java.io.IOException;

import io.github.dynamodblock.samples.leaderelection.ledger.LedgerClient;
import io.github.dynamodblock.samples.support.ParentProcess;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.stereotype.Component;

/**
 * Ties a node to the trial that started it: takes its orders, and does not outlive it.
 */
@Component
@ConditionalOnBooleanProperty("trial.node")
public class NodeOfTrial {

	/** The order to give the leadership back and to stay a candidate. */
	public static final String YIELD = "yield";

	private final LockRegistryLeaderInitiator initiator;

	private final LedgerClient ledger;

	NodeOfTrial(LockRegistryLeaderInitiator initiator, LedgerClient ledger) {
		this.initiator = initiator;
		this.ledger = ledger;
	}

	@EventListener(ApplicationReadyEvent.class)
	void ready() throws IOException {
		ParentProcess.obey((order) -> {
			if (order.equals(YIELD)) {
				this.initiator.getContext().yield();
			}
		});
		this.ledger.tellReady();
	}

}

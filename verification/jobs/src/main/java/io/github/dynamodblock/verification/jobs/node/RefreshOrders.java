/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import io.github.dynamodblock.verification.harness.ApplicationNode.Order;
import io.github.dynamodblock.verification.harness.Reporter;

import org.springframework.cloud.context.refresh.ContextRefresher;
import org.springframework.context.event.EventListener;

/**
 * Refreshes the node when the trial orders it, as {@code /actuator/refresh} does.
 */
public class RefreshOrders {

	private final ContextRefresher refresher;

	private final Body body;

	private final Reporter reporter;

	RefreshOrders(ContextRefresher refresher, Body body, Reporter reporter) {
		this.refresher = refresher;
		this.body = body;
		this.reporter = reporter;
	}

	@EventListener(Order.class)
	void refresh() {
		// Reading the properties takes longer than a run on a busy machine.
		this.body.hold();
		try {
			this.refresher.refresh();
			this.reporter.report(TrialNode.REFRESHED, RefreshedJob.NAME);
		}
		finally {
			this.body.release();
		}
	}

}

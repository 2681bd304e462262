/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi;

import io.github.dynamodblock.samples.support.ParentProcess;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Ties a node to the trial that started it, so that no node outlives it.
 */
@Component
@ConditionalOnBooleanProperty("trial.node")
class NodeOfTrial {

	@EventListener
	void ready(ApplicationReadyEvent event) {
		Environment environment = event.getApplicationContext().getEnvironment();
		ParentProcess.obey((order) -> {
			// The trial gives none.
		});
		ParentProcess.tellAddress("http://" + environment.getRequiredProperty("server.address") + ":"
				+ environment.getRequiredProperty("local.server.port"));
	}

}

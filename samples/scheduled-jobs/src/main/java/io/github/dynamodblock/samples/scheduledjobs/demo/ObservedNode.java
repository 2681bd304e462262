/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.demo;

import io.github.dynamodblock.samples.demo.Reporter;
import io.github.dynamodblock.samples.scheduledjobs.Accounts;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * What a node of the demo has beside the application. Not a component, so that the
 * application does not find it.
 */
public class ObservedNode {

	/** The node asks for a lock and waits for it. */
	static final String WAITS = "WAITS";

	/** The wait ended without the lock. */
	static final String GIVES_UP = "GIVES_UP";

	/** The first statement under the lock. */
	static final String BEGINS = "BEGINS";

	/** The last statement under the lock. */
	static final String ENDS = "ENDS";

	@Bean
	@Primary
	ObservedBackOffice observedBackOffice(Reporter reporter) {
		return new ObservedBackOffice(reporter);
	}

	@Bean
	Traffic traffic(Accounts accounts, Reporter reporter) {
		return new Traffic(accounts, reporter);
	}

}

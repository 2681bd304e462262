/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection;

import org.springframework.boot.SpringApplication;

/**
 * Starts the application on this machine, with locks and the ledger in memory.
 */
class LocalApplication {

	public static void main(String[] args) {
		SpringApplication.from(LeaderElectionApplication::main)
			.with(LedgerTable.class)
			.run("--dynamodb-lock.embedded.enabled=true");
	}

}

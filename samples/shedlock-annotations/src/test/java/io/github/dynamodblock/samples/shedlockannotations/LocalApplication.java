/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.shedlockannotations;

import org.springframework.boot.SpringApplication;

/**
 * Starts the application on this machine, with locks in memory and a tick every five
 * seconds.
 */
class LocalApplication {

	public static void main(String[] args) {
		SpringApplication.from(ShedLockAnnotationsApplication::main)
			.run("--dynamodb-lock.embedded.enabled=true", "--report.cron=*/5 * * * * *");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.fromshedlock;

import io.github.dynamodblock.samples.fromshedlock.both.ReportApplication;

import org.springframework.boot.SpringApplication;

/**
 * Starts the release with both locks on this machine, with both tables in memory, a tick
 * every five seconds, and a log line for each lock.
 */
class LocalApplication {

	public static void main(String[] args) {
		SpringApplication.from(ReportApplication::main)
			.with(LocalDynamoDb.class)
			.run("--report.cron=*/5 * * * * *", "--logging.level.net.javacrumbs.shedlock=debug",
					"--logging.level.io.github.dynamodblock.spring.job=debug");
	}

}

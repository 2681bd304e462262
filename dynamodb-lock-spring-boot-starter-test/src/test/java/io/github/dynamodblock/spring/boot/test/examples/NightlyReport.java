/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.test.examples;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.ScheduledLock;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** A job that an application also calls. */
@Component
class NightlyReport {

	@Scheduled(cron = "${report.cron:0 0 2 * * *}", zone = "UTC")
	@ScheduledLock(name = "nightly-report")
	@Nullable String write() {
		Long token = LockContext.current().map(HeldLock::fencingToken).orElse(null);
		return "written under " + token;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import io.github.dynamodblock.spring.ScheduledLock;

/** Right by itself. */
public class ReportJob {

	@ScheduledLock("report")
	public void run() {
	}

}

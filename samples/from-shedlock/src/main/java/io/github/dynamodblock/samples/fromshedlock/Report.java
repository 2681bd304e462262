/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.fromshedlock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of the job, the same in each release.
 */
public class Report {

	private static final Logger logger = LoggerFactory.getLogger(Report.class);

	public void write() {
		logger.info("Writing the report");
	}

}

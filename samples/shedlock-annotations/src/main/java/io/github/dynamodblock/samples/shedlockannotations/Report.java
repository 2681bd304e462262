/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.shedlockannotations;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * The work of the job.
 */
@Component
public class Report {

	private static final Logger logger = LoggerFactory.getLogger(Report.class);

	public void write() {
		logger.info("Writing the report");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.severalkeys;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Stands for a service that refuses a third call at a time.
 */
@Component
public class Printer {

	private static final Logger logger = LoggerFactory.getLogger(Printer.class);

	public void print(String account) {
		logger.info("Printed the statement of {}", account);
	}

}

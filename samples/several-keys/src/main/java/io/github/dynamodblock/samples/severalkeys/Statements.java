/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.severalkeys;

import io.github.dynamodblock.spring.DistributedLock;

import org.springframework.stereotype.Service;

/**
 * Prints statements of accounts.
 */
@Service
public class Statements {

	private final Printer printer;

	public Statements(Printer printer) {
		this.printer = printer;
	}

	/**
	 * Prints a statement. All nodes together print up to two at a time; a further call
	 * waits for up to 30 seconds.
	 */
	@DistributedLock(name = "printer", permits = "2", waitTime = "30s")
	public void print(String account) {
		this.printer.print(account);
	}

}

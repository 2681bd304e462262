/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.ordersapi.demo;

import io.github.dynamodblock.samples.demo.CommandLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OrdersDemoTests {

	@Test
	void allOptionsAreRead() {
		CommandLine options = new CommandLine("--requests", "40", "--without-lock", "--orders", "2");
		OrdersDemo.prepare(options);

		options.requireAllRead();
	}

	@Test
	void theStoreAndItsGuardAreRead() {
		CommandLine options = new CommandLine("--store", "dynamodb", "--without-guard");
		OrdersDemo.prepare(options);

		options.requireAllRead();
	}

	@Test
	void whatTheStoreDoesNotHaveIsRefused() {
		assertRefused("--store is \"s3\"; it must be h2 or dynamodb", "--store", "s3");
		assertRefused("--without-guard needs --store dynamodb", "--without-guard");
		assertRefused("--without-lock needs --store h2; use --without-guard", "--without-lock", "--store", "dynamodb");
	}

	@Test
	void oneRequestIsRefusedSinceNothingContendsWithIt() {
		assertRefused("--requests is 1; it must be from 2 to 1000", "--requests", "1");
	}

	@Test
	void moreOrdersThanRequestsAreRefused() {
		assertRefused("--orders is 11; it must be from 1 to 10", "--requests", "10", "--orders", "11");
	}

	private static void assertRefused(String message, String... args) {
		assertThatIllegalArgumentException().isThrownBy(() -> OrdersDemo.prepare(new CommandLine(args)))
			.withMessage(message);
	}

}

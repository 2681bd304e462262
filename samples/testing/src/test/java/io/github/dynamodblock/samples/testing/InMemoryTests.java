/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockNotGrantedException;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Real locks, with their table in memory. */
@SpringBootTest
class InMemoryTests {

	@Autowired
	Invoices invoices;

	/** Stands for another node. */
	@Autowired
	LockClient otherNode;

	@Test
	void anInvoiceIsNotWrittenWhileAnotherNodeWritesIt() throws Exception {
		try (HeldLock lock = this.otherNode.acquire("invoice:17")) {
			assertThatExceptionOfType(LockNotGrantedException.class).isThrownBy(() -> this.invoices.write("17"));
			assertThat(this.invoices.write("18")).contains("order 18");
		}
	}

}

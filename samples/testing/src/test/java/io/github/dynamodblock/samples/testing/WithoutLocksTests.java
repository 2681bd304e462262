/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/** For tests that do not depend on locks. */
@SpringBootTest(properties = "dynamodb-lock.enabled=false")
class WithoutLocksTests {

	@Autowired
	Invoices invoices;

	@Test
	void anInvoiceIsWrittenWithoutALock() {
		assertThat(this.invoices.write("17")).isEqualTo("Invoice of order 17, written under null");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.boot.test.InMemoryLocks;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/** A slice has no locks without {@link InMemoryLocks}. */
@WebMvcTest(InvoiceController.class)
@InMemoryLocks
@Import(Invoices.class)
class SliceTests {

	@Autowired
	MockMvcTester mvc;

	/** Stands for another node. */
	@Autowired
	LockClient otherNode;

	@Test
	void aBusyInvoiceIsAConflict() throws Exception {
		try (HeldLock lock = this.otherNode.acquire("invoice:17")) {
			assertThat(this.mvc.post().uri("/orders/17/invoice")).hasStatus(HttpStatus.CONFLICT);
		}
		assertThat(this.mvc.post().uri("/orders/17/invoice")).hasStatusOk();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.mockito.ArgumentMatchers.assertArg;
import static org.mockito.Mockito.verify;

import static org.assertj.core.api.Assertions.assertThat;

/** Real locks, and a test that sees which ones are acquired. */
@SpringBootTest
class SpyTests {

	@Autowired
	Invoices invoices;

	@MockitoSpyBean
	LockClient lockClient;

	@Test
	void anInvoiceIsWrittenUnderTheLockOfItsOrder() throws Exception {
		this.invoices.write("17");
		verify(this.lockClient)
			.acquire(assertArg((LockRequest request) -> assertThat(request.key()).isEqualTo(LockKey.of("invoice:17"))));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.testing;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;

/** No locks: the test decides what the lock client returns or throws. */
@SpringBootTest
class MockTests {

	@Autowired
	Invoices invoices;

	@MockitoBean
	LockClient lockClient;

	@Test
	void aBusyInvoiceIsNotWritten() throws Exception {
		given(this.lockClient.acquire(any(LockRequest.class)))
			.willThrow(new LockNotGrantedException(LockKey.of("invoice:17"), "in this test", null, null));
		assertThatExceptionOfType(LockNotGrantedException.class).isThrownBy(() -> this.invoices.write("17"));
	}

}

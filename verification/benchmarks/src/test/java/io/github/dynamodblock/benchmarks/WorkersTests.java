/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class WorkersTests {

	@Test
	@Timeout(60)
	void theFailureOfOneWorkerEndsThoseThatWait() {
		CountDownLatch never = new CountDownLatch(1);
		assertThatIllegalStateException().isThrownBy(() -> Workers.run(2, (number) -> {
			if (number == 1) {
				throw new IllegalArgumentException("the second worker failed");
			}
			never.await();
		})).withMessageContaining("the second worker failed");
	}

}

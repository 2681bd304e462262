/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.spring.OnCrash;
import io.github.dynamodblock.spring.OnMissed;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.ArgumentMatchers.any;

class LockedJobTests {

	private final LockClient client = Mockito.mock(LockClient.class);

	private final LockedJob job = new LockedJob("report", LockKey.of("report"), "Reports.make()",
			new JobSchedule.FixedRate(Duration.ofMinutes(1)), OnCrash.RERUN, 3, OnMissed.SKIP, this.client);

	/** The acquisition has written the pause, and the lock expires. */
	@Test
	void aPauseTakesEffectAlthoughTheReleaseIsNotAnswered() throws Exception {
		HeldLock lock = Mockito.mock(HeldLock.class);
		Mockito.when(this.client.acquire(any(LockRequest.class))).thenReturn(lock);
		Mockito.when(lock.release()).thenThrow(LockStoreException.class);
		assertThatCode(() -> this.job.pause("stock-taking")).doesNotThrowAnyException();
		assertThatCode(this.job::resume).doesNotThrowAnyException();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.lang.ref.WeakReference;
import java.time.Duration;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a held lock keeps in memory, in virtual time on a real table.
 */
class HeldLockMemoryTests extends VirtualTimeTest {

	@Test
	void aHeldLockDoesNotKeepItsAcquisition() {
		WeakReference<AcquisitionTask> acquisition = new WeakReference<>(one().start(LockRequest.of("k")));
		time().pass(Duration.ofSeconds(1));
		assertHeldWithout(acquisition);
	}

	@Test
	void aLockThatAWaiterInLineWasGrantedDoesNotKeepItsAcquisition() {
		LeaseHandle first = one().acquire("k");
		WeakReference<AcquisitionTask> acquisition = new WeakReference<>(
				one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1))));
		one().release(first);
		time().pass(Duration.ofSeconds(1));
		assertHeldWithout(acquisition);
	}

	private void assertHeldWithout(WeakReference<AcquisitionTask> acquisition) {
		await().untilAsserted(() -> {
			System.gc();
			assertThat(acquisition.get()).isNull();
		});
		LeaseHandle lock = (LeaseHandle) one().client().held().get(0);
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks of Go's dynamolock, which writes leases as Go writes durations, in virtual time.
 */
class GoClientTests extends VirtualTimeTest {

	private static final Duration GO_LEASE = Duration.ofSeconds(20);

	/** As long as our client pauses between two looks at the most. */
	private static final Duration POLL = Duration.ofMillis(500);

	@Test
	void aGoProgramsLockIsReadAndRespected() {
		goProgramWrites("rvn-1");
		LockRecord record = one().row("k");
		assertThat(record.ownerName()).isEqualTo("go");
		assertThat(record.leaseDuration()).isEqualTo(GO_LEASE);
		assertThat(record.data().map((bytes) -> new String(bytes, StandardCharsets.UTF_8))).contains("theirs");
		AcquisitionTask task = one().start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL);
		refused(task);
		assertThat(one().row("k").ownerName()).isEqualTo("go");
	}

	@Test
	void aGoProgramsLockIsTakenOverOneOfItsLeasesAfterItWasFirstSeen() {
		goProgramWrites("rvn-1");
		AcquisitionTask waiter = waitForTheLock();
		time().pass(GO_LEASE);
		assertThat(isOver(waiter)).isFalse();
		time().pass(POLL);
		LeaseHandle lock = granted(waiter);
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().row("k").leaseDuration()).isEqualTo(LEASE);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
	}

	@Test
	void aGoProgramsHeartbeatStartsTheWaitAnew() {
		goProgramWrites("rvn-1");
		AcquisitionTask waiter = waitForTheLock();
		time().pass(GO_LEASE.minusSeconds(5));
		goProgramWrites("rvn-2");
		time().pass(GO_LEASE);
		assertThat(isOver(waiter)).isFalse();
		time().pass(POLL.multipliedBy(2));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	private AcquisitionTask waitForTheLock() {
		return one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(5)));
	}

	private void goProgramWrites(String version) {
		one().putRow("k", "go", "20s", version);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What listeners are told of takeovers, in virtual time on a real table.
 */
class TakeoverReportTests extends VirtualTimeTest {

	private final List<Takeover> takeovers = new ArrayList<>();

	private final LockRequest request = LockRequest.of("k")
		.waitTime(Duration.ofMinutes(1))
		.listener(new LockListener() {

			@Override
			public void onTakenOver(HeldLock lock, LockRecord previous, Duration silent) {
				TakeoverReportTests.this.takeovers.add(new Takeover(previous, lock.isHeld(), silent));
			}

		});

	@Test
	void aTakeoverIsReportedWithTheOwnerThatFellSilent() {
		LeaseHandle lock = one().acquire("k");
		silence(one());
		AcquisitionTask waiting = two().start(this.request);
		time().pass(LEASE.plusSeconds(1));
		assertThat(VirtualClient.granted(waiting).isHeld()).isTrue();
		assertTakenOverFrom("one", lock.fencingToken());
	}

	@Test
	void aLockThatItsOwnerReleasedIsNotTakenOver() {
		LeaseHandle lock = one().acquire("k");
		AcquisitionTask waiting = two().start(this.request);
		time().pass(LEASE.plusSeconds(5));
		one().release(lock);
		time().pass(Duration.ofSeconds(1));
		assertThat(VirtualClient.granted(waiting).isHeld()).isTrue();
		assertThat(this.takeovers).isEmpty();
	}

	@Test
	void aLockThatWasReleasedLongAfterARefusedTryIsNotTakenOver() {
		LeaseHandle lock = one().acquire("k");
		AcquisitionTask refused = two().start(this.request.waitTime(Duration.ZERO));
		time().pass(LEASE.multipliedBy(3));
		VirtualClient.refused(refused);
		one().release(lock);
		time().pass(LEASE.multipliedBy(3));
		AcquisitionTask next = two().start(this.request);
		time().pass(Duration.ofSeconds(1));
		assertThat(VirtualClient.granted(next).isHeld()).isTrue();
		assertThat(this.takeovers).isEmpty();
	}

	@Test
	void aTakeoverByAWaiterThatReadsRarelyIsReported() {
		LeaseHandle lock = one().acquire("k");
		silence(one());
		AcquisitionTask waiting = two().start(this.request.pollInterval(LEASE.multipliedBy(2)));
		time().pass(LEASE.plusSeconds(1));
		assertThat(VirtualClient.granted(waiting).isHeld()).isTrue();
		assertTakenOverFrom("one", lock.fencingToken());
	}

	@Test
	void aTakeoverByATryLongAfterTheCrashIsReported() {
		LeaseHandle lock = one().acquire("k");
		silence(one());
		two().start(this.request.waitTime(Duration.ZERO));
		time().pass(LEASE.plusMillis(500));
		AcquisitionTask next = two().start(this.request);
		time().pass(Duration.ofSeconds(1));
		assertThat(VirtualClient.granted(next).isHeld()).isTrue();
		assertTakenOverFrom("one", lock.fencingToken());
	}

	private void assertTakenOverFrom(String owner, long token) {
		assertThat(this.takeovers).singleElement().satisfies((takeover) -> {
			assertThat(takeover.previous().ownerName()).isEqualTo(owner);
			assertThat(takeover.previous().fencingToken()).hasValue(token);
			assertThat(takeover.held()).isTrue();
			assertThat(takeover.silent()).isBetween(LEASE, LEASE.plusSeconds(1));
		});
	}

	private record Takeover(LockRecord previous, boolean held, Duration silent) {
	}

}

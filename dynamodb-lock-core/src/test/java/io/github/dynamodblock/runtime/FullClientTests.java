/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.VirtualEnvironment.Course;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.store.SimulatedTable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a caller gets while all calls that its client may make at a time hang.
 */
class FullClientTests extends VirtualTimeTest {

	/** What a call that hangs takes: half of the lease's validity. */
	private static final Duration HUNG = Duration.ofSeconds(5);

	private final VirtualClient full;

	FullClientTests() {
		super(new SimulatedTable());
		this.full = clientWithSlots("full", 1);
	}

	@Test
	void anAcquisitionWithoutASlotFailsSoonAfterItsWait() {
		hangFirstCall();
		AcquisitionTask waiting = this.full.start(LockRequest.of("k").waitTime(Duration.ofMillis(200)));
		AcquisitionTask trying = this.full.start(LockRequest.of("another"));
		time().pass(Duration.ofMillis(999));
		assertThat(trying.outcome()).isNotDone();
		time().pass(Duration.ofMillis(201));
		assertFailedWithoutSlot(waiting);
		assertFailedWithoutSlot(trying);
	}

	@Test
	void whatFailedWithoutASlotIsNeverSentAndNeedsNoCleanup() {
		hangFirstCall();
		AcquisitionTask waiting = this.full.start(LockRequest.of("k"));
		time().pass(Duration.ofSeconds(1));
		assertThat(waiting.settled()).isCompleted();
		int sent = this.full.environment().sent();
		this.full.environment().let((call) -> Course.USUAL);
		time().pass(HUNG);
		assertThat(this.full.environment().sent()).as("the hung call is repeated").isEqualTo(sent + 1);
	}

	@Test
	void theNextAcquisitionOfTheSameLockWaitsForNoneThatFailedWithoutASlot() {
		hangFirstCall();
		this.full.start(LockRequest.of("k"));
		time().pass(Duration.ofSeconds(1));
		AcquisitionTask next = this.full.start(LockRequest.of("k").waitTime(Duration.ofSeconds(10)));
		this.full.environment().let((call) -> Course.USUAL);
		time().pass(HUNG);
		assertThat(next.outcome()).isCompletedWithValueMatching((outcome) -> outcome.handle() != null);
	}

	@Test
	void aCallerInLineBehindACallWithoutASlotFailsAsSoon() {
		hangFirstCall();
		this.full.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		AcquisitionTask behind = this.full.start(LockRequest.of("k"));
		time().pass(Duration.ofSeconds(1));
		assertFailedWithoutSlot(behind);
	}

	@Test
	void anAcquisitionThatGetsItsSlotInTimeGoesOn() {
		hangFirstCall();
		AcquisitionTask waiting = this.full.start(LockRequest.of("k").waitTime(Duration.ofSeconds(6)));
		this.full.environment().let((call) -> Course.USUAL);
		time().pass(HUNG.plusMillis(100));
		assertThat(waiting.outcome()).isCompletedWithValueMatching((outcome) -> outcome.handle() != null);
	}

	private void hangFirstCall() {
		this.full.environment().let((call) -> Course.HANGING);
		this.full.start(LockRequest.of("hung").waitTime(Duration.ofMinutes(1)));
	}

	private static void assertFailedWithoutSlot(AcquisitionTask task) {
		assertThat(task.outcome()).isCompleted();
		assertThat(task.outcome().join().end()).isInstanceOfSatisfying(Step.Failed.class,
				(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
					.hasMessageContaining("the maximum number of calls at a time")
					.hasMessageContaining("maxConcurrentCalls"));
	}

}

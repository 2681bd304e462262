/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks that an administrator frees, in virtual time on a real table.
 */
class ForceReleaseTests extends VirtualTimeTest {

	@Test
	void aForcedReleaseIsAReadAndAWriteAndTheHolderIsToldOnce() {
		LeaseHandle lock = one().acquire("k");
		assertThat(two().forceRelease("k", "one")).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(two().environment().sent()).isEqualTo(2);
		assertThat(two().row("k").isReleased()).isTrue();
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.lossReason()).hasValue(LossReason.RELEASED_BY_ADMINISTRATOR);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(events()).containsExactly("one acquired", "one lost RELEASED_BY_ADMINISTRATOR");
		assertThat(time().pending()).isZero();
	}

	@Test
	void aHolderThatReleasesBeforeItsNextHeartbeatIsToldByTheRelease() {
		LeaseHandle lock = one().acquire("k");
		two().forceRelease("k", "one");
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(lock.lossReason()).hasValue(LossReason.RELEASED_BY_ADMINISTRATOR);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		time().pass(Duration.ofMinutes(1));
		assertThat(events()).containsExactly("one acquired", "one lost RELEASED_BY_ADMINISTRATOR");
	}

	@Test
	void aFreeLockAndOneWithoutAnItemAreAlreadyFree() {
		assertThat(two().forceRelease("k", "one")).isEqualTo(ReleaseOutcome.ALREADY_FREE);
		one().release(one().acquire("k"));
		String version = one().row("k").recordVersionNumber();
		assertThat(two().forceRelease("k", "one")).isEqualTo(ReleaseOutcome.ALREADY_FREE);
		assertThat(two().row("k").recordVersionNumber()).isEqualTo(version);
	}

	@Test
	void anotherOwnersLockIsLeftAlone() {
		LeaseHandle lock = one().acquire("k");
		assertThat(two().forceRelease("k", "two")).isEqualTo(ReleaseOutcome.HELD_BY_ANOTHER);
		time().pass(Duration.ofMinutes(1));
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void aForcedReleaseWhoseAnswerWasLostIsAnsweredAsReleased() {
		one().acquire("k");
		two().environment().next(Fault.NONE, Fault.ANSWER_LOST);
		var outcome = two().tokens().forceRelease(LockKey.of("k"), "one");
		time().pass(LEASE);
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(two().row("k").isReleased()).isTrue();
	}

	@Test
	void aHolderThatRenewsTheLockMeanwhileLosesItAllTheSame() {
		LeaseHandle lock = one().acquire("k");
		two().environment().next(Fault.NONE, Fault.REQUEST_LOST);
		var outcome = two().tokens().forceRelease(LockKey.of("k"), "one");
		time().pass(LEASE);
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(lock.lossReason()).hasValue(LossReason.RELEASED_BY_ADMINISTRATOR);
	}

	@Test
	void aForcedReleaseThatNobodyAnswersFails() {
		one().acquire("k");
		two().environment()
			.next(Fault.REQUEST_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST, Fault.REQUEST_LOST);
		var outcome = two().tokens().forceRelease(LockKey.of("k"), "one");
		time().pass(LEASE.multipliedBy(3));
		assertThat(outcome.handle((value, problem) -> problem).getNow(null)).isInstanceOf(LockStoreException.class)
			.hasMessageContaining("The release of lock 'k' did not succeed; unless another release does");
	}

	@Test
	void theNextOwnerOfALockThatWasFreedKeepsItFromItsFormerHolder() {
		LeaseHandle former = one().acquire("k");
		two().forceRelease("k", "one");
		LeaseHandle next = two().acquire("k");
		assertThat(next.fencingToken()).isGreaterThan(former.fencingToken());
		time().pass(Duration.ofMinutes(1));
		assertThat(former.lossReason()).hasValue(LossReason.STOLEN);
		assertThat(next.isHeld()).isTrue();
	}

}

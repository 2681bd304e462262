/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An acquisition and an adoption of one client and one lock, whose claims are under way
 * at once and both succeed, because the lock was free again in between. The first of the
 * two to be sent arrives, or is answered, last.
 */
class OverlappingGrantsTests extends VirtualTimeTest {

	@Test
	void aGrantIsNotLostToAnEarlierOneWithAGreaterTokenWhoseItemWasDeleted() {
		LockToken token = detached();
		AcquisitionTask late = startLate();
		time().pass(Duration.ofMillis(1));
		LeaseHandle early = one().adopt(token, LockRequest.of("k").deleteOnRelease(true));
		one().environment().next(Fault.ANSWER_SLOW);
		CompletableFuture<ReleaseOutcome> release = early.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(2));
		assertThat(release).isNotDone();
		assertHasTheLock(granted(late));
		assertThat(events()).doesNotContain("one lost STOLEN");
	}

	@Test
	void twoGrantsWithTheSameTokenAreNotBothHeld() {
		// The tokens of all begin with the wall clock, in microseconds.
		AcquisitionTask first = two().start(LockRequest.of("k"));
		time().pass(Duration.ofNanos(32_000));
		AcquisitionTask late = startLate();
		time().pass(VirtualEnvironment.CALL);
		LeaseHandle early = one().adopt(detached(granted(first)));
		one().deleteRow("k");
		time().pass(Duration.ofSeconds(2));
		// Its first claim counted the same token, and its second one the next.
		assertThat(granted(late).fencingToken()).isEqualTo(early.fencingToken() + LockWrite.Claim.TOKENS);
		assertThat(early.isHeld()).isFalse();
		assertThat(early.lossReason()).hasValue(LossReason.STOLEN);
		assertHasTheLock(granted(late));
	}

	@Test
	void aGrantThatALaterOneHasReplacedIsNotHeldAlthoughThatOneWasReleased() {
		one().environment().next(Fault.ANSWER_SLOW);
		AcquisitionTask replaced = one()
			.start(LockRequest.of("k").leaseDuration(Duration.ofMinutes(5)).waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofMillis(100));
		one().deleteRow("k");
		LeaseHandle next = one().adopt(detached());
		assertThat(one().release(next)).isEqualTo(ReleaseOutcome.RELEASED);
		LeaseHandle others = two().acquire("k");
		time().pass(Duration.ofSeconds(31));
		assertThat(isOver(replaced)).isFalse();
		assertThat(others.isHeld()).isTrue();
	}

	/** A claim that arrives a second later. */
	private AcquisitionTask startLate() {
		one().environment().next(Fault.REQUEST_SLOW);
		return one().start(LockRequest.of("k"));
	}

	/** The token of a lock that the other client has detached. */
	private LockToken detached() {
		return detached(two().acquire("k"));
	}

	private static LockToken detached(LeaseHandle lock) {
		return Objects.requireNonNull(lock.detachIfConfirmed());
	}

	private void assertHasTheLock(LeaseHandle handle) {
		assertThat(handle.isHeld()).isTrue();
		time().pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).isTrue();
		assertThat(one().row("k").recordVersionNumber()).isEqualTo(handle.record().recordVersionNumber());
		assertThat(one().row("k").fencingToken()).hasValue(handle.fencingToken());
	}

}

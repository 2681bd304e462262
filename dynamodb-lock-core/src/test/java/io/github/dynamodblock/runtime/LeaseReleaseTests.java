/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The ends of a lease, in virtual time on a real table.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the time passes
class LeaseReleaseTests extends VirtualTimeTest {

	private static final ItemChange DONE = ItemChange.none().attribute("state", AttributeValue.fromS("done"));

	@Test
	void releasingAnExpiredLockSaysThatItWasLostAndFreesWhatIsLeftOfIt() {
		LeaseHandle lock = one().acquire("k");
		one().environment().sleep(Duration.ofHours(1));
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void aReleaseWaitsForNoHeartbeat() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_SLOW);
		CompletableFuture<Lease> renewed = lock.demand(RenewRequest.create());
		time().pass(VirtualEnvironment.CALL);
		assertThat(renewed).isNotDone();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(renewed).isCompletedWithValueMatching((lease) -> !lease.isLive());
	}

	@Test
	void aReleaseAfterTheLeaseMakesItsChangeBeforeItReturns() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		lock.demand(RenewRequest.create());
		one().environment().sleep(LEASE);
		CompletableFuture<ReleaseOutcome> release = lock.beginRelease(ReleaseRequest.create().change(DONE));
		assertThat(release).isNotDone();
		time().pass(VirtualEnvironment.CALL);
		assertThat(release).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(one().row("k")).returns(true, LockRecord::isReleased)
			.returns(DONE.attributes(), LockRecord::attributes);
	}

	@Test
	void aReleaseAfterTheLeaseThatFailedIsRepeatedByTheNextOne() {
		LeaseHandle lock = one().acquire("k");
		silence(one());
		time().pass(LEASE.multipliedBy(2));
		CompletableFuture<ReleaseOutcome> first = lock.beginRelease(ReleaseRequest.create());
		time().pass(LEASE.multipliedBy(2));
		assertThat(first).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(one().row("k").isReleased()).isFalse();
		one().environment().forgetFaults();
		assertThat(one().release(lock, ReleaseRequest.create().change(DONE))).isEqualTo(ReleaseOutcome.LOST);
		assertThat(one().row("k")).returns(true, LockRecord::isReleased)
			.returns(DONE.attributes(), LockRecord::attributes);
		int sent = one().environment().sent();
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		assertThat(one().environment().sent()).isEqualTo(sent);
		assertThat(events()).containsExactly("one acquired", "one expiring", "one lost EXPIRED");
	}

	@Test
	void aStaleReleaseDoesNotFreeTheSuccessor() {
		LeaseHandle stale = one().acquire("k");
		one().environment().next(Fault.ANSWER_SLOW, Fault.ANSWER_SLOW);
		time().pass(LEASE.multipliedBy(4));
		assertThat(stale.isHeld()).isFalse();
		LeaseHandle successor = granted(waitFor(two(), "k"));
		CompletableFuture<ReleaseOutcome> release = stale.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofMinutes(1));
		assertThat(release).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(two().row("k").isReleased()).isFalse();
		time().pass(Duration.ofMinutes(1));
		assertThat(successor.isHeld()).isTrue();
	}

	@Test
	void releasingTwiceReleasesOnceAndLeavesTheNextHandleAlone() {
		LeaseHandle first = one().acquire("k");
		assertThat(one().release(first)).isEqualTo(ReleaseOutcome.RELEASED);
		LeaseHandle second = one().acquire("k");
		assertThat(one().release(first)).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
		time().pass(Duration.ofMinutes(1));
		assertThat(second.isHeld()).isTrue();
	}

	@Test
	void aReleaseWhoseAnswerWasLostIsAnsweredAsReleased() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(9));
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void aReleaseBesideTheEndOfItsLeaseIsConfirmedAlthoughCallsAreSlow() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").automaticRenewal(false));
		time().pass(Duration.ofMillis(9700));
		one().environment().let((call) -> VirtualEnvironment.Course.taking(Duration.ofMillis(600)));
		one().environment().next(Fault.REQUEST_LOST);
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(7));
		assertThat(outcome).isCompletedWithValue(ReleaseOutcome.RELEASED);
		assertThat(one().row("k").isReleased()).isTrue();
	}

	@Test
	void aReleaseWithoutAnAnswerFailsWhenTheLeaseIsOverAndBlocksTheKeyNoLonger() {
		LeaseHandle lock = one().acquire("k");
		for (int i = 0; i < 50; i++) {
			one().environment().next(Fault.REQUEST_LOST);
		}
		var outcome = lock.beginRelease(ReleaseRequest.create());
		time().pass(Duration.ofSeconds(11));
		assertThat(outcome).isCompletedExceptionally();
		assertThat(outcome.handle((value, failure) -> failure).join()).isInstanceOf(LockStoreException.class)
			.hasMessageContaining("after its last heartbeat");
		one().environment().forgetFaults();
		AcquisitionTask again = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(again).fencingToken()).isGreaterThan(lock.fencingToken());
	}

	@Test
	void aLockThatIsHeldAtLeastIsKeptAfterItsReleaseAndThenFreed() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtLeast(Duration.ofMinutes(1)));
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.KEPT);
		assertThat(lock.isHeld()).isFalse();
		time().pass(Duration.ofSeconds(59));
		assertThat(one().row("k").isReleased()).isFalse();
		time().pass(Duration.ofSeconds(2));
		assertThat(one().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
		assertThat(events()).containsExactly("one acquired", "one released");
	}

	@Test
	void closingLeavesALockThatIsHeldAtLeastWithTheRestOfItsTimeAsLease() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtLeast(Duration.ofMinutes(1)));
		one().release(lock);
		time().pass(Duration.ofSeconds(20));
		var ended = one().endEverything(true);
		time().pass(Duration.ofSeconds(1));
		assertThat(ended).isDone();
		LockRecord row = two().row("k");
		assertThat(row.isReleased()).isFalse();
		assertThat(row.leaseDuration()).isBetween(Duration.ofSeconds(39), Duration.ofSeconds(41));
	}

	@Test
	void closingLeavesALockThatIsNotReleasedOnCloseUnlessItsHandleIsClosed() {
		LockRequest request = LockRequest.of("held").releaseOnClose(false);
		LeaseHandle held = one().acquire(request.holdAtLeast(Duration.ofMinutes(1)));
		LeaseHandle releasing = one().acquire(LockRequest.of("releasing").releaseOnClose(false));
		LeaseHandle kept = one()
			.acquire(LockRequest.of("kept").releaseOnClose(false).holdAtLeast(Duration.ofMinutes(1)));
		LeaseHandle expired = one().acquire(LockRequest.of("expired").releaseOnClose(false).leaseDuration(LEASE));
		one().release(kept);
		releasing.beginRelease(ReleaseRequest.create());
		String version = held.record().recordVersionNumber();
		CompletableFuture<Void> closed = one().endEverything(true);
		time().pass(Duration.ofSeconds(1));
		assertThat(closed).isCompleted();
		assertThat(held.lossReason()).hasValue(LossReason.CLOSED);
		assertThat(one().row("held")).returns(false, LockRecord::isReleased)
			.returns(version, LockRecord::recordVersionNumber)
			.returns(LEASE, LockRecord::leaseDuration);
		assertThat(one().row("releasing").isReleased()).isTrue();
		assertThat(one().row("kept").leaseDuration()).isGreaterThan(LEASE);
		assertThat(one().row("expired").isReleased()).isFalse();
		assertThat(expired.lossReason()).hasValue(LossReason.CLOSED);
		assertThat(time().pending()).isZero();
	}

	@Test
	void closingTellsALossAndFreesTheLock() {
		LeaseHandle lock = one().acquire("k");
		var ended = one().endEverything(true);
		assertThat(lock.lossReason()).hasValue(LossReason.CLOSED);
		time().pass(Duration.ofSeconds(1));
		assertThat(ended).isDone();
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one lost CLOSED");
		assertThat(time().pending()).isZero();
	}

	@Test
	void closingWhileAnAcquireIsUnderWayFreesWhatItTook() {
		AcquisitionTask task = one().start(LockRequest.of("k"));
		var ended = one().endEverything(true);
		assertThat(refused(task)).isInstanceOf(Step.Failed.class);
		time().pass(Duration.ofSeconds(1));
		assertThat(ended).isDone();
		assertThat(two().row("k").isReleased()).isTrue();
		assertThat(time().pending()).isZero();
	}

	@Test
	void aClosingClientLeavesAKeptLockWithWhatItsReleaseWasToChange() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtLeast(Duration.ofSeconds(60)));
		assertThat(one().release(lock, ReleaseRequest.create().change(DONE))).isEqualTo(ReleaseOutcome.KEPT);
		CompletableFuture<Void> closed = one().endEverything(true);
		time().pass(Duration.ofSeconds(1));
		assertThat(closed).isCompleted();
		LockRecord left = one().row("k");
		assertThat(left.isReleased()).isFalse();
		assertThat(left.attributes()).containsEntry("state", AttributeValue.fromS("done"));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.KeptItem;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Locks whose holder does not end in time, in virtual time on a real table.
 */
class HoldAtMostTests extends VirtualTimeTest {

	private static final Duration LIMIT = Duration.ofMinutes(1);

	private static final Duration A_MOMENT = Duration.ofMillis(500);

	private static final ItemChange TIMED_OUT = ItemChange.none()
		.attribute("outcome", AttributeValue.fromS("timed out"));

	private static final LockRequest REQUEST = LockRequest.of("k").holdAtMost(LIMIT);

	private static final LockRequest RECORDED = REQUEST.keptItem(KeptItem.create().changeAtLimit(TIMED_OUT));

	@Test
	void aLockThatIsHeldTooLongIsLostOnceAndItsHeartbeatsStop() {
		LeaseHandle lock = one().acquire(REQUEST);
		time().pass(LIMIT.minus(A_MOMENT));
		assertThat(lock.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired");
		time().pass(A_MOMENT);
		assertThat(events()).containsExactly("one acquired", "one lost HELD_TOO_LONG");
		assertThat(lock.isHeld()).isFalse();
		assertThat(lock.remaining()).isZero();
		assertThat(lock.lossReason()).hasValue(LossReason.HELD_TOO_LONG);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
			.withMessageContaining("held for longer than its holdAtMost");
		int sent = one().environment().sent();
		time().pass(Duration.ofHours(1));
		assertThat(one().environment().sent()).isEqualTo(sent);
		assertThat(events()).hasSize(2);
	}

	@Test
	void anotherClientAcquiresTheLockAtTheLimitAndNotBefore() {
		one().acquire(RECORDED);
		AcquisitionTask waiting = two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(LIMIT.minus(A_MOMENT));
		assertThat(VirtualClient.isOver(waiting)).isFalse();
		assertThat(one().row("k")).returns(false, LockRecord::isReleased).returns(Map.of(), LockRecord::attributes);
		time().pass(A_MOMENT.multipliedBy(2));
		assertThat(VirtualClient.granted(waiting).record().attributes()).isEqualTo(TIMED_OUT.attributes());
	}

	@Test
	void whoeverFirstSeesThatTheLimitIsOverReleasesTheLockOnce() {
		LeaseHandle lock = one().acquire(RECORDED);
		time().pass(LIMIT.minus(A_MOMENT));
		one().environment().sleep(A_MOMENT);
		int sent = one().environment().sent();
		assertThat(lock.isHeld()).isFalse();
		time().pass(LIMIT);
		assertThat(one().environment().sent()).isEqualTo(sent + 1);
		assertThat(one().row("k")).returns(true, LockRecord::isReleased)
			.returns(TIMED_OUT.attributes(), LockRecord::attributes);
	}

	@Test
	void aClientThatClosesAwaitsTheReleaseAtTheLimit() {
		one().acquire(RECORDED);
		time().pass(LIMIT.minus(A_MOMENT));
		one().environment().next(Fault.REQUEST_LOST);
		time().pass(A_MOMENT);
		CompletableFuture<Void> closed = one().endEverything(true);
		assertThat(closed).isNotDone();
		time().pass(LEASE);
		assertThat(closed).isDone();
		assertThat(one().row("k")).returns(true, LockRecord::isReleased)
			.returns(TIMED_OUT.attributes(), LockRecord::attributes);
	}

	@Test
	void aReleaseAfterTheLimitDoesNotMakeItsChange() {
		LeaseHandle lock = one().acquire(RECORDED);
		time().pass(LIMIT);
		ItemChange done = ItemChange.none().attribute("outcome", AttributeValue.fromS("done"));
		CompletableFuture<ReleaseOutcome> release = lock.beginRelease(ReleaseRequest.create().change(done));
		time().pass(A_MOMENT);
		assertThat(release).isCompletedWithValue(ReleaseOutcome.LOST);
		assertThat(one().row("k").attributes()).isEqualTo(TIMED_OUT.attributes());
	}

	@Test
	void aReleaseBeforeTheLimitDoesNotMakeTheChangeOfTheLimit() {
		LeaseHandle lock = one().acquire(RECORDED);
		time().pass(LIMIT.minus(A_MOMENT));
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.RELEASED);
		time().pass(LIMIT);
		assertThat(one().row("k").attributes()).isEmpty();
	}

	@Test
	void theLossIsReportedInTimeWhileHeartbeatsHang() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtMost(Duration.ofSeconds(4)));
		one().environment().next(Fault.ANSWER_SLOW);
		time().pass(Duration.ofSeconds(4));
		assertThat(events()).containsExactly("one acquired", "one lost HELD_TOO_LONG");
		time().pass(LIMIT);
		assertThat(lock.isHeld()).isFalse();
		assertThat(events()).hasSize(2);
	}

	@Test
	void aReleaseAfterTheLossFreesTheLockAtOnce() {
		LeaseHandle lock = one().acquire(REQUEST);
		time().pass(LIMIT);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		time().pass(A_MOMENT);
		assertThat(one().row("k").isReleased()).isTrue();
		two().acquire("k");
		assertThat(events()).containsExactly("one acquired", "one lost HELD_TOO_LONG", "two acquired");
	}

	@Test
	void aReleaseAfterTheLossLeavesTheNextOwnersLockAlone() {
		LeaseHandle lock = one().acquire(REQUEST);
		AcquisitionTask waiting = two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(LIMIT.plus(LEASE).plus(A_MOMENT));
		LeaseHandle next = VirtualClient.granted(waiting);
		assertThat(one().release(lock)).isEqualTo(ReleaseOutcome.LOST);
		time().pass(LIMIT);
		assertThat(next.isHeld()).isTrue();
	}

	@Test
	void aWaiterOfTheSameClientAcquiresTheLockAtTheLimit() {
		one().acquire(REQUEST);
		AcquisitionTask waiting = one().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(LIMIT.minus(A_MOMENT));
		assertThat(VirtualClient.isOver(waiting)).isFalse();
		time().pass(A_MOMENT.multipliedBy(2));
		assertThat(VirtualClient.granted(waiting).isHeld()).isTrue();
	}

	@Test
	void aRenewalOnDemandDoesNotExtendTheLimit() {
		LeaseHandle lock = one().acquire(REQUEST);
		time().pass(LIMIT.minus(A_MOMENT));
		one().renew(lock, RenewRequest.create().leaseDuration(LIMIT));
		assertThat(lock.remaining()).isLessThanOrEqualTo(A_MOMENT);
		time().pass(A_MOMENT);
		assertThat(lock.lossReason()).hasValue(LossReason.HELD_TOO_LONG);
	}

	@Test
	void aLockThatWasReleasedInTimeIsKeptByItsHoldAtLeastAndNotLost() {
		LeaseHandle lock = one().acquire(REQUEST.holdAtLeast(LIMIT));
		time().pass(A_MOMENT);
		assertThat(lock.beginRelease(ReleaseRequest.create())).isCompletedWithValue(ReleaseOutcome.KEPT);
		time().pass(LIMIT.plus(A_MOMENT));
		assertThat(events()).containsExactly("one acquired", "one released");
	}

	@Test
	void aDetachedLockHasNoLimitAndWhoeverAdoptsItSetsAnother() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").holdAtMost(Duration.ofSeconds(5)));
		LockToken token = lock.detachIfConfirmed();
		assertThat(token).isNotNull();
		LeaseHandle adopted = two().adopt(token);
		time().pass(Duration.ofHours(1));
		assertThat(adopted.isHeld()).isTrue();
		assertThat(events()).containsExactly("one acquired", "one detached", "two acquired");
	}

	@Test
	void aRequestWithoutALimitHasThatOfTheClient() {
		VirtualClient limited = limited();
		LeaseHandle lock = limited.acquire("k");
		LeaseHandle unlimited = limited
			.acquire(LockRequest.of("unlimited").holdAtMost(Duration.ofSeconds(Long.MAX_VALUE)));
		time().pass(LIMIT);
		assertThat(lock.lossReason()).hasValue(LossReason.HELD_TOO_LONG);
		assertThat(unlimited.isHeld()).isTrue();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> limited.start(LockRequest.of("k").holdAtLeast(LIMIT.plusSeconds(1))))
			.withMessage("holdAtLeast is 61 s, but lock 'k' is held for at most 60 s, which is the lock client's "
					+ "holdAtMost; holdAtMost must not be shorter than holdAtLeast");
	}

	private VirtualClient limited() {
		return client("limited", (settings) -> new ClientSettings("limited", settings.lease(), settings.waitTime(),
				LIMIT, false, null, settings.observationCapacity(), true, settings.listeners(), settings.rules()));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.WaitingAcquisition;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client holds and waits for at one moment, in virtual time on a real table.
 */
class ClientStateTests extends VirtualTimeTest {

	private static final LockRequest REQUEST = LockRequest.of("k").name("orders").waitTime(Duration.ofMinutes(1));

	@Test
	void aLockIsAmongThoseHeldUntilItIsReleasedDetachedOrLost() {
		assertThat(one().client().held()).isEmpty();
		LeaseHandle released = one().acquire("released");
		LeaseHandle detached = one().acquire("detached");
		LeaseHandle lost = one().acquire("lost");
		assertThat(one().client().held()).containsExactlyInAnyOrder(released, detached, lost);
		assertThat(two().client().held()).isEmpty();
		one().release(released);
		assertThat(one().client().held()).containsExactlyInAnyOrder(detached, lost);
		assertThat(detached.detachIfConfirmed()).isNotNull();
		assertThat(one().client().held()).containsExactly(lost);
		one().environment().sleep(Duration.ofHours(1));
		assertThat(one().client().held()).isEmpty();
	}

	@Test
	void theClockIsReadOnceForAllLocks() {
		one().acquire("a");
		one().acquire("b");
		one().acquire("c");
		int before = one().environment().clockReadings();
		assertThat(one().client().held()).hasSize(3);
		assertThat(one().environment().clockReadings()).isEqualTo(before + 1);
	}

	@Test
	void aLockThatWasGivenBackAndIsKeptIsNotHeld() {
		LeaseHandle kept = one().acquire(LockRequest.of("k").holdAtLeast(Duration.ofHours(1)));
		assertThat(one().client().held()).containsExactly(kept);
		one().release(kept);
		assertThat(one().client().held()).isEmpty();
	}

	@Test
	void aHandleHasTheNameOfItsRequest() {
		LeaseHandle named = one().acquire(REQUEST);
		LeaseHandle unnamed = one().acquire("other");
		assertThat(named.name()).hasValue("orders");
		assertThat(unnamed.name()).isEmpty();
	}

	@Test
	void aHandleSaysWhileItsLockIsExpiring() {
		LeaseHandle lock = one().acquire("k");
		assertThat(lock.isAutomaticallyRenewed()).isTrue();
		assertThat(lock.isExpiring()).isFalse();
		one().environment().next(Fault.REQUEST_LOST, Fault.REQUEST_LOST);
		time().pass(Duration.ofMillis(6600));
		assertThat(events()).containsExactly("one acquired", "one expiring");
		assertThat(lock.isExpiring()).isTrue();
		time().pass(Duration.ofMinutes(1));
		assertThat(events()).containsExactly("one acquired", "one expiring", "one recovered");
		assertThat(lock.isExpiring()).isFalse();
	}

	@Test
	void aHandleThatIsNotRenewedIsExpiringNearItsEndAndNotAfterIt() {
		LeaseHandle lock = one().acquire(LockRequest.of("k").automaticRenewal(false));
		assertThat(lock.isAutomaticallyRenewed()).isFalse();
		time().pass(Duration.ofSeconds(9));
		assertThat(lock.isExpiring()).isTrue();
		time().pass(Duration.ofSeconds(2));
		assertThat(lock.isExpiring()).isFalse();
	}

	@Test
	void whoeverWaitsForAnotherClientIsShownUntilTheGrant() {
		LeaseHandle held = two().acquire("k");
		AcquisitionTask waiter = one().start(REQUEST);
		time().pass(Duration.ofSeconds(5));
		assertThat(one().client().waiting()).containsExactly(new WaitingAcquisition(REQUEST, Duration.ofSeconds(5)));
		assertThat(two().client().waiting()).isEmpty();
		two().release(held);
		time().pass(Duration.ofSeconds(1));
		assertThat(one().client().held()).containsExactly(granted(waiter));
		assertThat(one().client().waiting()).isEmpty();
	}

	@Test
	void whoeverStandsInLineIsShownInTheOrderInWhichTheyBegan() {
		LeaseHandle held = one().acquire("k");
		LockRequest second = REQUEST.name("second");
		one().start(REQUEST);
		time().pass(Duration.ofSeconds(1));
		one().start(second);
		time().pass(Duration.ofSeconds(2));
		assertThat(one().client().waiting()).containsExactly(new WaitingAcquisition(REQUEST, Duration.ofSeconds(3)),
				new WaitingAcquisition(second, Duration.ofSeconds(2)));
		assertThat(one().client().held()).containsExactly(held);
	}

	@Test
	void anAcquisitionThatWasOnlyJustSentDoesNotWait() {
		AcquisitionTask task = one().start(REQUEST);
		assertThat(one().client().waiting()).isEmpty();
		time().pass(VirtualEnvironment.CALL);
		assertThat(granted(task).isHeld()).isTrue();
	}

	@Test
	void whoeverGivesUpDoesNotWaitAnyMore() {
		two().acquire("k");
		AcquisitionTask late = one().start(REQUEST.waitTime(Duration.ofSeconds(5)));
		AcquisitionTask left = one().start(REQUEST);
		time().pass(Duration.ofSeconds(1));
		assertThat(one().client().waiting()).hasSize(2);
		left.cancel();
		assertThat(one().client().waiting()).hasSize(1);
		time().pass(Duration.ofSeconds(5));
		refused(late);
		assertThat(one().client().waiting()).isEmpty();
	}

	@Test
	void aClosedClientHoldsNothingAndWaitsForNothing() {
		two().acquire("k");
		one().start(REQUEST);
		one().acquire("other");
		List<HeldLock> before = one().client().held();
		assertThat(before).hasSize(1);
		assertThat(one().client().waiting()).hasSize(1);
		CompletableFuture<Void> ended = one().endEverything(true);
		assertThat(one().client().held()).isEmpty();
		assertThat(one().client().waiting()).isEmpty();
		assertThat(before).as("a snapshot").hasSize(1);
		time().pass(VirtualEnvironment.CALL);
		assertThat(ended).isDone();
	}

}

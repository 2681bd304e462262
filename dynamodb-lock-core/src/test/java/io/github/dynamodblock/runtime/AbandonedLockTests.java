/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.acquire.Refusals;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.store.SimulatedTable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client and its own lock, whose handle is lost and was never released, in virtual
 * time.
 */
class AbandonedLockTests extends VirtualTimeTest {

	private static final LockRequest ABANDONED = LockRequest.of("k").automaticRenewal(false);

	/** A look, a claim, and what a poll may be late. */
	private static final Duration FEW_CALLS = VirtualEnvironment.CALL.multipliedBy(3);

	AbandonedLockTests() {
		super(new SimulatedTable());
	}

	@Test
	void aClientTakesItsOwnAbandonedLockOneLeaseAfterItWasAcquired() {
		LeaseHandle abandoned = one().acquire(ABANDONED);
		AcquisitionTask again = one().start(LockRequest.of("k").waitTime(LEASE.multipliedBy(2)));
		time().pass(LEASE.minus(VirtualEnvironment.CALL));
		assertThat(abandoned.isHeld()).isFalse();
		assertThat(isOver(again)).isFalse();
		time().pass(FEW_CALLS);
		assertThat(granted(again).fencingToken()).isGreaterThan(abandoned.fencingToken());
	}

	@Test
	void aClientTakesItsOwnAbandonedLockOneLeaseAfterItsLastHeartbeat() {
		LeaseHandle abandoned = one().acquire(ABANDONED);
		time().pass(LEASE.dividedBy(2));
		one().renew(abandoned, RenewRequest.create());
		AcquisitionTask again = one().start(LockRequest.of("k").waitTime(LEASE.multipliedBy(2)));
		time().pass(LEASE.minus(VirtualEnvironment.CALL));
		assertThat(isOver(again)).isFalse();
		time().pass(FEW_CALLS);
		assertThat(granted(again).isHeld()).isTrue();
	}

	@Test
	void aHeartbeatWhoseAnswerWasLostIsObservedLikeAnotherOwners() {
		LeaseHandle abandoned = one().acquire(ABANDONED);
		time().pass(LEASE.dividedBy(2));
		one().environment().next(Fault.ANSWER_LOST);
		CompletableFuture<Lease> renewal = abandoned.demand(RenewRequest.create());
		silence(one());
		time().pass(LEASE);
		assertThat(renewal).isCompletedWithValueMatching((lease) -> !lease.isLive());
		assertThat(abandoned.isHeld()).isFalse();
		one().environment().forgetFaults();
		AcquisitionTask again = one().start(LockRequest.of("k").waitTime(LEASE.multipliedBy(2)));
		time().pass(LEASE);
		assertThat(isOver(again)).isFalse();
		time().pass(FEW_CALLS.multipliedBy(2));
		assertThat(granted(again).isHeld()).isTrue();
	}

	@Test
	void whoIsRefusedItsOwnAbandonedLockIsNotToldOfAnotherHandle() {
		one().acquire(ABANDONED);
		time().pass(Duration.ofNanos(VirtualClient.TERMS.validityNanos()).plusMillis(20));
		AcquisitionTask again = one().start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL);
		LockException refusal = Refusals.explain(again.terms(), refused(again));
		assertThat(refusal)
			.isInstanceOfSatisfying(LockNotGrantedException.class,
					(denied) -> assertThat(denied.leaseRemaining().orElseThrow()).isLessThan(LEASE.dividedBy(2)))
			.hasMessageContaining("held by 'one'")
			.hasMessageNotContaining("another handle of this client holds it");
	}

	@Test
	void aRefusalOfALockThatTheSameClientHoldsNamesTheOtherHandle() {
		one().acquire("k");
		AcquisitionTask again = one().start(LockRequest.of("k"));
		assertThat(Refusals.explain(again.terms(), refused(again)))
			.hasMessageContaining("another handle of this client holds it, as 'one', probably in another thread");
	}

}

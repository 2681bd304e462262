/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.TERMS;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Takeovers by the wall clock, for clients that rely on it, in virtual time on a real
 * table.
 */
class ClockBoundTests extends VirtualTimeTest {

	private static final Duration BOUND = Duration.ofSeconds(2);

	private static final LeaseTerms BOUNDED = new LeaseTerms(LEASE, TERMS.heartbeatPeriod(), null,
			TERMS.clockRateTolerance(), TERMS.timeToLive(), BOUND);

	private final VirtualClient owner = client("owner", BOUNDED);

	private final VirtualClient newcomer = client("newcomer", BOUNDED);

	@Test
	void aDeadOwnersLockIsTakenAtFirstSightOnceItsEndAndTheBoundAreOver() {
		crash(this.owner, "k");
		time().pass(LEASE.plus(BOUND));
		AcquisitionTask attempt = this.newcomer.start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL.multipliedBy(2));
		assertThat(granted(attempt).isHeld()).isTrue();
		assertThat(this.newcomer.environment().sent()).isEqualTo(2);
	}

	@Test
	void beforeThatATryIsRefusedAndToldHowLongItTakes() {
		crash(this.owner, "k");
		time().pass(LEASE.plus(BOUND).minusMillis(100));
		AcquisitionTask attempt = this.newcomer.start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL);
		assertThat(refused(attempt)).isInstanceOfSatisfying(Step.Denied.class,
				(denied) -> assertThat(denied.leaseRemainingNanos()).isNotNull()
					.isBetween(0L, Duration.ofMillis(100).toNanos()));
	}

	@Test
	void aWaiterTakesTheLockWhenEndAndBoundAreOverAndNotBefore() {
		crash(this.owner, "k");
		time().pass(LEASE);
		AcquisitionTask waiter = this.newcomer.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(BOUND.minusMillis(50));
		assertThat(isOver(waiter)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void everyHeartbeatMovesTheEnd() {
		LeaseHandle lock = this.owner.acquire("k");
		time().pass(Duration.ofMinutes(1));
		assertThat(this.owner.row("k").leaseEnds().orElseThrow()).isAfter(time().wallClock().plusSeconds(7));
		assertThat(lock.record().leaseEnds()).isEqualTo(this.owner.row("k").leaseEnds());
		AcquisitionTask attempt = this.newcomer.start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL);
		assertThat(refused(attempt)).isInstanceOf(Step.Denied.class);
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void theEndOfAnotherVersionIsNotBelieved() {
		crash(this.owner, "k");
		this.owner.setAttribute("k", "leaseEnds", AttributeValue.fromS("another-version|1"));
		time().pass(LEASE.plus(BOUND));
		AcquisitionTask attempt = this.newcomer.start(LockRequest.of("k"));
		time().pass(VirtualEnvironment.CALL.multipliedBy(2));
		assertThat(refused(attempt)).isInstanceOf(Step.Denied.class);
	}

	@Test
	void aClientThatKnowsThatItsClockIsAheadTakesNoLiveLeaseOver() {
		LeaseHandle lock = this.owner.acquire("k");
		this.newcomer.environment().knowServiceTime();
		this.newcomer.environment().setWallClock(Duration.ofMinutes(1));
		AcquisitionTask waiter = this.newcomer.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(59));
		assertThat(isOver(waiter)).isFalse();
		assertThat(lock.isHeld()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT1.01S", "PT-1.01S" })
	void aClientThatKnowsThatItsClockIsOffObservesADeadOwnerForALease(Duration ahead) {
		crash(this.owner, "k");
		time().pass(LEASE.plus(BOUND).plusSeconds(2));
		this.newcomer.environment().knowServiceTime();
		this.newcomer.environment().setWallClock(ahead);
		AcquisitionTask waiter = this.newcomer.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(LEASE);
		assertThat(isOver(waiter)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void aWaiterWhoseClockIsSetRightTakesTheLockAtOnce() {
		crash(this.owner, "k");
		time().pass(LEASE.plus(BOUND));
		this.newcomer.environment().knowServiceTime();
		this.newcomer.environment().setWallClock(Duration.ofSeconds(5));
		AcquisitionTask waiter = this.newcomer.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(1));
		assertThat(isOver(waiter)).isFalse();
		this.newcomer.environment().setWallClock(BOUND.dividedBy(2));
		time().pass(Duration.ofSeconds(1));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void aHolderThatKnowsThatItsClockIsOffStoresNoEndThatOthersCouldBelieve() {
		this.owner.environment().knowServiceTime();
		this.owner.environment().setWallClock(Duration.ofMinutes(-1));
		LeaseHandle lock = this.owner.acquire("k");
		assertThat(this.owner.item("k")).doesNotContainKey("leaseEnds");
		AcquisitionTask waiter = this.newcomer.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(30));
		assertThat(this.owner.item("k")).doesNotContainKey("leaseEnds");
		assertThat(isOver(waiter)).isFalse();
		assertThat(lock.isHeld()).isTrue();
		this.owner.environment().setWallClock(Duration.ZERO);
		time().pass(TERMS.heartbeatPeriod());
		assertThat(this.owner.row("k").leaseEnds()).isPresent();
	}

	@Test
	void aClientThatDoesNotRelyOnClocksWaitsForALease() {
		crash(this.owner, "k");
		time().pass(LEASE.plus(BOUND));
		AcquisitionTask waiter = one().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(LEASE);
		assertThat(isOver(waiter)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void aClientThatDoesNotRelyOnClocksWritesNoEndAndRemovesTheOneThatItFinds() {
		this.owner.release(this.owner.acquire("k"));
		assertThat(this.owner.item("k")).doesNotContainKey("leaseEnds");
		this.owner.setAttribute("k", "leaseEnds", AttributeValue.fromS("left|1"));
		one().acquire("k");
		assertThat(one().item("k")).doesNotContainKey("leaseEnds");
		one().setAttribute("k", "leaseEnds", AttributeValue.fromS("left|1"));
		time().pass(Duration.ofSeconds(3));
		assertThat(one().item("k")).doesNotContainKey("leaseEnds");
	}

}

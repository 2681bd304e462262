/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.acquire.Refusals;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import io.github.dynamodblock.runtime.shared.ClientSettings;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.TERMS;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a client or a request can choose, in virtual time on a real table.
 */
class RequestOptionsTests extends VirtualTimeTest {

	private static final LockRequest BY_HAND = LockRequest.of("k").automaticRenewal(false);

	@Test
	void withoutAutomaticRenewalNoHeartbeatIsSentAndTheWarningAndTheLossAreReported() {
		LeaseHandle lock = one().acquire(BY_HAND);
		time().pass(Duration.ofMillis(6600));
		assertThat(events()).containsExactly("one acquired", "one expiring");
		assertThat(lock.isHeld()).isTrue();
		time().pass(Duration.ofMinutes(1));
		assertThat(events()).containsExactly("one acquired", "one expiring", "one lost EXPIRED");
		assertThat(one().environment().sent()).isEqualTo(1);
		assertThat(time().pending()).isZero();
	}

	@Test
	void withoutAutomaticRenewalEachRenewalIsOneCallAndKeepsTheLock() {
		LeaseHandle lock = one().acquire(BY_HAND);
		for (int i = 0; i < 20; i++) {
			time().pass(Duration.ofSeconds(5));
			one().renew(lock, RenewRequest.create());
		}
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().environment().sent()).isEqualTo(21);
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void withoutAutomaticRenewalARenewalIsRepeatedUntilItIsConfirmed() {
		LeaseHandle lock = one().acquire(BY_HAND);
		one().environment().next(Fault.REQUEST_LOST, Fault.ANSWER_LOST);
		var renewed = lock.demand(RenewRequest.create());
		time().pass(Duration.ofSeconds(9));
		assertThat(renewed).isDone();
		assertThat(lock.isHeld()).isTrue();
		int sent = one().environment().sent();
		time().pass(Duration.ofMinutes(1));
		assertThat(one().environment().sent()).isEqualTo(sent);
	}

	@Test
	void theClientChoosesTheExpiryWarning() {
		VirtualClient anxious = client("anxious", new LeaseTerms(LEASE, TERMS.heartbeatPeriod(), Duration.ofSeconds(6),
				TERMS.clockRateTolerance(), null, null));
		crash(anxious, "k");
		time().pass(Duration.ofMillis(3700));
		assertThat(events()).containsExactly("anxious acquired");
		time().pass(Duration.ofMillis(200));
		assertThat(events()).containsExactly("anxious acquired", "anxious expiring");
	}

	@Test
	void aThresholdKeepsItsProportionToTheLease() {
		VirtualClient anxious = client("anxious", new LeaseTerms(LEASE, TERMS.heartbeatPeriod(), Duration.ofSeconds(5),
				TERMS.clockRateTolerance(), null, null));
		anxious.acquire(LockRequest.of("k").leaseDuration(LEASE.multipliedBy(6)));
		silence(anxious);
		time().pass(Duration.ofSeconds(28));
		assertThat(events()).containsExactly("anxious acquired");
		time().pass(Duration.ofSeconds(1));
		assertThat(events()).containsExactly("anxious acquired", "anxious expiring");
	}

	@Test
	void theRequestChoosesTheHeartbeatPeriod() {
		one().acquire(LockRequest.of("k").heartbeatPeriod(Duration.ofMillis(500)));
		time().pass(Duration.ofSeconds(100));
		assertThat(one().environment().sent()).isBetween(198, 230);
	}

	@Test
	void theRequestChoosesHowOftenAWaiterLooks() {
		crash(one(), "k");
		AcquisitionTask waiter = two()
			.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)).pollInterval(Duration.ofSeconds(1)));
		time().pass(Duration.ofSeconds(9));
		assertThat(two().environment().reads()).isBetween(7, 11);
		time().pass(Duration.ofSeconds(2));
		assertThat(granted(waiter).isHeld()).isTrue();
	}

	@Test
	void theClientChoosesHowOftenItsWaitersLookUnlessTheRequestDoes() {
		crash(one(), "k");
		VirtualClient slow = client("slow", (settings) -> new ClientSettings("slow", TERMS, settings.waitTime(), null,
				false, Duration.ofSeconds(2), 1000, true, settings.listeners(), settings.rules()));
		slow.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		two().start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)));
		time().pass(Duration.ofSeconds(9));
		assertThat(slow.environment().reads()).isBetween(3, 6);
		assertThat(two().environment().reads()).isGreaterThan(40);
		VirtualClient quick = client("quick", (settings) -> new ClientSettings("quick", TERMS, settings.waitTime(),
				null, false, Duration.ofSeconds(2), 1000, true, settings.listeners(), settings.rules()));
		quick.start(LockRequest.of("k").waitTime(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(10)));
		time().pass(Duration.ofMillis(900));
		assertThat(quick.environment().reads()).isGreaterThan(25);
	}

	@Test
	void aLockWithoutItemIsNotTakenIfItMustHaveOneHoweverLongTheWait() {
		AcquisitionTask task = one().start(LockRequest.of("k").onlyIfItemExists(true).waitTime(Duration.ofMinutes(1)));
		time().pass(VirtualEnvironment.CALL.multipliedBy(2));
		assertThat(refused(task)).isInstanceOf(Step.Absent.class);
		assertThat(Refusals.explain(task.terms(), refused(task))).hasMessageContaining("'k'");
		assertThat(task.settled()).isDone();
		assertThat(one().environment().sent()).isEqualTo(2);
		assertThat(one().item("k")).isEmpty();
	}

	@Test
	void aLockWithItemIsTakenIfItMustHaveOne() {
		one().release(one().acquire("k"));
		assertThat(two().acquire(LockRequest.of("k").onlyIfItemExists(true)).isHeld()).isTrue();
	}

	@Test
	void aHeldLockIsWaitedForIfItMustHaveAnItemAndGivenUpWhenItsItemIsDeleted() {
		LeaseHandle held = one().acquire("k");
		LockRequest request = LockRequest.of("k").onlyIfItemExists(true).waitTime(Duration.ofMinutes(1));
		AcquisitionTask first = two().start(request);
		time().pass(Duration.ofSeconds(1));
		assertThat(isOver(first)).isFalse();
		one().release(held);
		time().pass(Duration.ofSeconds(1));
		two().release(granted(first));
		crash(one(), "k");
		AcquisitionTask second = two().start(request);
		time().pass(Duration.ofSeconds(1));
		one().deleteRow("k");
		time().pass(Duration.ofSeconds(1));
		assertThat(refused(second)).isInstanceOf(Step.Absent.class);
		assertThat(one().item("k")).isEmpty();
	}

	@Test
	void theRequestChoosesWhetherAReleaseDeletesTheItem() {
		one().release(one().acquire(LockRequest.of("a").deleteOnRelease(true)));
		assertThat(one().item("a")).isEmpty();
		VirtualClient deleting = client("deleting", (settings) -> new ClientSettings("deleting", TERMS,
				settings.waitTime(), null, true, null, 1000, true, settings.listeners(), settings.rules()));
		deleting.release(deleting.acquire("b"));
		assertThat(one().item("b")).isEmpty();
		deleting.release(deleting.acquire(LockRequest.of("c").deleteOnRelease(false)));
		assertThat(one().row("c").isReleased()).isTrue();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.lease.Lease;
import io.github.dynamodblock.runtime.VirtualEnvironment.Fault;
import io.github.dynamodblock.runtime.acquire.AcquisitionTask;
import io.github.dynamodblock.runtime.lease.LeaseHandle;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.runtime.VirtualClient.LEASE;
import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.isOver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Renewals on demand that change the lease or the item, in virtual time on a real table.
 */
class RenewalTests extends VirtualTimeTest {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final RenewRequest LONGER = RenewRequest.create().leaseDuration(MINUTE);

	private static final RenewRequest SHORTER = RenewRequest.create().leaseDuration(Duration.ofSeconds(2));

	private static final AttributeValue ONE = AttributeValue.fromN("1");

	@Test
	void aLongerLeaseHoldsFromItsRenewalOn() {
		LeaseHandle lock = one().acquire("k");
		one().renew(lock, LONGER);
		assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(58));
		assertThat(one().row("k").leaseDuration()).isEqualTo(MINUTE);
		assertThat(lock.record().leaseDuration()).isEqualTo(MINUTE);
	}

	@Test
	void aLongerLeaseIsKeptByTheHeartbeatsThatFollow() {
		LeaseHandle lock = one().acquire("k");
		one().renew(lock, LONGER);
		int before = one().environment().sent();
		time().pass(Duration.ofMinutes(10));
		assertThat(one().environment().sent() - before).isBetween(39, 46);
		assertThat(one().row("k").leaseDuration()).isEqualTo(MINUTE);
		silence(one());
		AcquisitionTask observer = two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(Duration.ofSeconds(58));
		assertThat(isOver(observer)).isFalse();
		time().pass(Duration.ofSeconds(18));
		assertThat(granted(observer).isHeld()).isTrue();
		assertThat(lock.lossReason()).hasValue(LossReason.EXPIRED);
	}

	@Test
	void askingForALongerLeaseCausesNoWarning() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.REQUEST_LOST);
		assertThat(lock.demand(LONGER)).isNotDone();
		time().pass(Duration.ofSeconds(5));
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.record().leaseDuration()).isEqualTo(MINUTE);
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void aLongerLeaseWhoseAnswerIsLostIsHeldOnlyForTheOldOne() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		silence(one());
		assertThat(lock.demand(LONGER)).isNotDone();
		time().pass(LEASE);
		assertThat(lock.lossReason()).hasValue(LossReason.EXPIRED);
		assertThat(one().row("k").leaseDuration()).isEqualTo(MINUTE);
	}

	@Test
	void aShorterLeaseWhoseAnswerIsLostEndsForTheHolderBeforeAnObserverMayTakeIt() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		silence(one());
		assertThat(lock.demand(SHORTER)).isNotDone();
		assertThat(lock.remaining()).isLessThan(Duration.ofSeconds(2));
		AcquisitionTask observer = two().start(LockRequest.of("k").waitTime(MINUTE));
		time().pass(Duration.ofSeconds(2));
		assertThat(events()).containsExactly("one acquired", "one expiring", "one lost EXPIRED");
		assertThat(isOver(observer)).isFalse();
		time().pass(Duration.ofMillis(100));
		assertThat(granted(observer).isHeld()).isTrue();
	}

	@Test
	void aShorterLeaseIsKeptInItsOwnRhythm() {
		LeaseHandle lock = one().acquire("k");
		one().renew(lock, SHORTER);
		int before = one().environment().sent();
		time().pass(MINUTE);
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().environment().sent() - before).isBetween(118, 140);
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void theCallerIsToldOfAChangeWhoseAnswerWasLost() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		CompletableFuture<Lease> renewed = lock.demand(change(ItemChange.none().attribute("step", ONE)));
		time().pass(Duration.ofMillis(400));
		assertThat(renewed).isNotDone();
		time().pass(Duration.ofSeconds(4));
		assertThat(renewed).isCompletedWithValueMatching(Lease::isLive);
		assertThat(lock.record().attributes()).isEqualTo(Map.of("step", ONE));
		assertThat(one().row("k").attributes()).isEqualTo(Map.of("step", ONE));
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void aChangeWhoseRequestWasLostIsMadeByTheNextHeartbeat() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.REQUEST_LOST);
		CompletableFuture<Lease> renewed = lock.demand(change(ItemChange.none().data(new byte[] { 7 })));
		time().pass(Duration.ofSeconds(5));
		assertThat(renewed).isCompletedWithValueMatching(Lease::isLive);
		assertThat(one().row("k").data()).hasValue(new byte[] { 7 });
	}

	@Test
	void aChangeThatWasMadeIsNotMadeAgain() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.ANSWER_LOST);
		assertThat(lock.demand(change(ItemChange.none().attribute("step", ONE)))).isNotDone();
		time().pass(Duration.ofSeconds(5));
		one().renew(lock, change(ItemChange.none().attribute("step", AttributeValue.fromN("2"))));
		time().pass(MINUTE);
		assertThat(one().row("k").attributes()).isEqualTo(Map.of("step", AttributeValue.fromN("2")));
	}

	@Test
	void aRefusedChangeIsToldAndDroppedAndDoesNotLoseTheLock() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.REFUSED);
		CompletableFuture<Lease> renewed = lock.demand(change(ItemChange.none().attribute("step", ONE)));
		time().pass(VirtualEnvironment.CALL);
		assertThat(renewed.handle((lease, problem) -> problem))
			.isCompletedWithValueMatching((problem) -> problem instanceof LockStoreException);
		time().pass(MINUTE);
		assertThat(lock.isHeld()).isTrue();
		assertThat(lock.record().attributes()).isEmpty();
		assertThat(one().row("k").attributes()).isEmpty();
		assertThat(events()).containsExactly("one acquired");
	}

	@Test
	void aChangeThatIsAskedForWhileAnotherIsRefusedIsMade() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.REFUSED);
		CompletableFuture<Lease> refused = lock.demand(change(ItemChange.none().attribute("bad", ONE)));
		CompletableFuture<Lease> next = lock.demand(change(ItemChange.none().attribute("good", ONE)));
		time().pass(Duration.ofSeconds(1));
		assertThat(refused).isCompletedExceptionally();
		assertThat(next).isCompletedWithValueMatching(Lease::isLive);
		assertThat(one().row("k").attributes()).isEqualTo(Map.of("good", ONE));
		assertThat(lock.record().attributes()).isEqualTo(Map.of("good", ONE));
	}

	@Test
	void aReleaseMakesTheChangesThatNoHeartbeatHasMade() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.REQUEST_LOST);
		assertThat(lock.demand(change(ItemChange.none().attribute("a", ONE).attribute("b", ONE)))).isNotDone();
		ItemChange last = ItemChange.none().removeAttributes("b").attribute("c", ONE);
		assertThat(one().release(lock, ReleaseRequest.create().change(last))).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(one().row("k").attributes()).isEqualTo(Map.of("a", ONE, "c", ONE));
	}

	@Test
	void moreChangesThanOneWriteHoldsAreRefusedBeforeARelease() {
		LeaseHandle lock = one().acquire("k");
		one().environment().next(Fault.REQUEST_LOST);
		assertThat(lock.demand(change(numbered("a", 60)))).isNotDone();
		ReleaseRequest release = ReleaseRequest.create().change(numbered("b", 60));
		assertThatIllegalArgumentException().isThrownBy(() -> lock.beginRelease(release))
			.withMessageContaining("120 attributes");
		assertThatIllegalArgumentException().isThrownBy(() -> lock.demand(change(numbered("b", 60))));
		time().pass(MINUTE);
		assertThat(lock.isHeld()).isTrue();
		assertThat(one().row("k").attributes()).hasSize(60);
		assertThat(one().release(lock, release)).isEqualTo(ReleaseOutcome.RELEASED);
		assertThat(one().row("k").attributes()).hasSize(120);
	}

	private static RenewRequest change(ItemChange change) {
		return RenewRequest.create().change(change);
	}

	private static ItemChange numbered(String name, int count) {
		return ItemChange.none()
			.attributes(IntStream.range(0, count)
				.boxed()
				.collect(Collectors.toMap((number) -> name + number, (number) -> ONE)));
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.ReleaseRequest;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether a lease that is released is handed on to the next acquisition of its client.
 */
class HandOffTests {

	private static final LockRecord CLAIMED = LockRecord.builder(KEY, "me", TERMS.leaseDuration(), "mine")
		.fencingToken(3200L)
		.build();

	private final Ending release = Ending.awaited(ReleaseRequest.create(), new Course.Ignored<>());

	private Lease lease = delivered(new Step.Granted(CLAIMED, 0, false));

	@Test
	void theNextHolderHasTheRestOfTheLeaseWithTheNextToken() {
		input((held) -> held.release(this.release, at(20)));
		Lease next = handOn(terms(LockRequest.of(KEY)), at(30));
		assertThat(next).isNotNull();
		assertThat(next.renewals().fencingToken()).isEqualTo(3201);
		assertThat(next.renewals().deadline()).isEqualTo(this.lease.renewals().deadline());
		assertThat(next.isHeld()).isTrue();
	}

	@Test
	void aHandOffChangesTheTimeOfTheClaimNeither() {
		input((held) -> held.release(this.release, at(20)));
		Lease next = handOn(terms(LockRequest.of(KEY)), at(30));
		assertThat(next).isNotNull();
		assertThat(next.claimedAt()).isZero();
	}

	@Test
	void aHeldLeaseIsNotHandedOn() {
		assertThat(handOn(terms(LockRequest.of(KEY)), at(20))).isNull();
	}

	@Test
	void aLeaseWhoseTokenWasGivenAwayIsNotHandedOn() {
		input(Lease::guarded);
		assertNotHandedOn();
	}

	@Test
	void aLeaseForWhichAnotherClientWaitsIsNotHandedOn() {
		this.lease = delivered(new Step.Granted(CLAIMED, 0, true));
		assertNotHandedOn();
	}

	@Test
	void aReleaseThatIsRepeatedHandsNothingOn() {
		input((held) -> held.release(this.release, at(20)));
		input((leaving) -> leaving.released(this.release, new Step.Failed(new LockStoreException("no answer", null))));
		Ending repeated = Ending.awaited(ReleaseRequest.create(), new Course.Ignored<>());
		input((failed) -> failed.release(repeated, at(30)));
		assertThat(this.lease.endsAs(repeated)).isTrue();
		assertThat(this.lease.handOn(repeated, terms(LockRequest.of(KEY)), at(30))).isNull();
	}

	@Test
	void aLockThatWasLostIsNotHandedOn() {
		input((held) -> held.lost(LossReason.EXPIRED));
		Ending late = Ending.awaited(ReleaseRequest.create(), new Course.Ignored<>());
		input((lost) -> lost.release(late, at(30)));
		assertThat(this.lease.handOn(late, terms(LockRequest.of(KEY)), at(30))).isNull();
	}

	@Test
	void aReleaseThatNoCallerAwaitsHandsNothingOn() {
		Ending background = Ending.background(ReleaseRequest.create(), new Course.Ignored<>());
		input((held) -> held.release(background, at(20)));
		assertThat(this.lease.handOn(background, terms(LockRequest.of(KEY)), at(30))).isNull();
	}

	@Test
	void aReleaseThatChangesTheItemHandsNothingOn() {
		ItemChange change = ItemChange.none().data(new byte[] { 1 });
		Ending changing = Ending.awaited(ReleaseRequest.create().change(change), new Course.Ignored<>());
		input((held) -> held.release(changing, at(20)));
		assertThat(this.lease.handOn(changing, terms(LockRequest.of(KEY)), at(30))).isNull();
	}

	@Test
	void aLeaseWithAHeartbeatWithoutAnAnswerIsNotHandedOn() {
		input((held) -> held.renew(RenewRequest.create(), new Course.Ignored<>()));
		input((held) -> held.sending("heartbeat", at(10)));
		assertNotHandedOn();
	}

	@Test
	void aLeaseThatHasNotBeenRenewedForLongIsNotHandedOn() {
		input((held) -> held.release(this.release, at(20)));
		assertThat(handOn(terms(LockRequest.of(KEY)), at(251))).isNull();
	}

	@Test
	void anAcquisitionWithAnotherLeaseNameConditionOrChangeGetsItsOwnClaim() {
		input((held) -> held.release(this.release, at(20)));
		LockRequest request = LockRequest.of(KEY);
		assertThat(handOn(terms(request.name("reports")), at(30))).isNull();
		assertThat(handOn(terms(request.data(new byte[] { 1 })), at(30))).isNull();
		assertThat(handOn(terms(request.automaticRenewal(false)), at(30))).isNull();
		assertThat(handOn(new AcquisitionTerms(request, "me", TERMS.withLeaseDuration(Duration.ofSeconds(7)), 0, 0,
				false, null, null, null), at(30)))
			.isNull();
	}

	private void assertNotHandedOn() {
		input((held) -> held.release(this.release, at(20)));
		assertThat(this.lease.endsAs(this.release)).isTrue();
		assertThat(handOn(terms(LockRequest.of(KEY)), at(30))).isNull();
	}

	private @Nullable Lease handOn(AcquisitionTerms next, ClockReading now) {
		return this.lease.handOn(this.release, next, now);
	}

	private void input(UnaryOperator<Lease> transition) {
		this.lease = transition.apply(this.lease);
	}

	private static Lease delivered(Step.Granted grant) {
		return Lease.granted(terms(LockRequest.of(KEY)), grant, at(10))
			.delivered(new Course.Ignored<>(), null, at(10), 1);
	}

	private static AcquisitionTerms terms(LockRequest request) {
		return new AcquisitionTerms(request, "me", TERMS, 0, 0, false, null, null, null);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;
import java.util.Map;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an acquisition decides about an owner that, by the wall clocks, has not renewed
 * for longer than its lease of four seconds.
 */
class SilentOwnerTests {

	private static final LockRequest AWAITING = LockRequest.of(KEY).awaitSilentOwner(true);

	private final Observations observations = new Observations(100);

	@Test
	void aTryAwaitsTheLeaseOfASilentOwnerAndTakesOver() {
		Acquisition attempt = refused(AWAITING, silent("a"));
		assertThat(attempt.wake(at(3999))).isInstanceOf(Step.Read.class);
		assertThat(attempt.answered(new Answer.Found(silent("a")), at(3999))).isInstanceOfSatisfying(Step.Wait.class,
				(wait) -> assertThat(wait.untilObserverNanos()).isEqualTo(at(4000).observerNanos()));
		assertThat(claim(attempt.wake(at(4000))).precondition()).isEqualTo(Precondition.only("a"));
		LockRecord ours = Given.ours("mine-2");
		assertThat(attempt.answered(new Answer.Applied(ours), at(4010))).isInstanceOf(Step.Granted.class);
	}

	@Test
	void aTryThatDoesNotAskForItIsRefusedAtOnce() {
		Acquisition attempt = acquisition(LockRequest.of(KEY), 0);
		attempt.start(at(0));
		assertThat(attempt.answered(new Answer.Refused(silent("a")), at(0))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void anOwnerThatRenewedLessThanALeaseAgoIsNotAwaited() {
		for (LockRecord living : new LockRecord[] { renewedBefore(Duration.ofSeconds(4)), theirs("a"),
				renewedBefore(Duration.ofDays(-1)) }) {
			Acquisition attempt = acquisition(AWAITING, 0);
			attempt.start(at(0));
			assertThat(attempt.answered(new Answer.Refused(living), at(0))).isInstanceOf(Step.Denied.class);
		}
	}

	@Test
	void anOwnerWithALongerLeaseThanTheRequestsIsNotAwaited() {
		LockRecord patient = silent("a").toBuilder()
			.leaseDuration(Given.LEASE.plusMillis(1))
			.renewedAt(Given.WALL_CLOCK.minusSeconds(60))
			.build();
		Acquisition attempt = acquisition(AWAITING, 0);
		attempt.start(at(0));
		assertThat(attempt.answered(new Answer.Refused(patient), at(0))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void anOwnerThatRenewsIsAliveAndTheTryRefusedAtOnce() {
		Acquisition attempt = refused(AWAITING, silent("a"));
		attempt.wake(at(1000));
		Step end = attempt.answered(new Answer.Found(silent("b")), at(1000));
		assertThat(end).isInstanceOfSatisfying(Step.Denied.class, (denied) -> {
			assertThat(denied.holder()).isNotNull().extracting(LockRecord::recordVersionNumber).isEqualTo("b");
			assertThat(denied.leaseRemainingNanos()).isEqualTo(Duration.ofSeconds(4).toNanos());
		});
	}

	@Test
	void aLockThatIsReleasedOrDeletedMeanwhileIsNotTakenSinceItsOwnerWasAlive() {
		for (Answer gone : new Answer[] { new Answer.Found(released(silent("b"))), new Answer.Found(null) }) {
			Acquisition attempt = refused(AWAITING, silent("a"));
			attempt.wake(at(1000));
			assertThat(attempt.answered(gone, at(1000))).isInstanceOfSatisfying(Step.Denied.class,
					(denied) -> assertThat(denied.holder()).isNotNull()
						.extracting(LockRecord::ownerName)
						.isEqualTo("them"));
		}
	}

	@Test
	void aLockThatIsReleasedJustBeforeTheTakeoverIsNotTaken() {
		Acquisition attempt = refused(AWAITING, silent("a"));
		attempt.wake(at(4000));
		assertThat(attempt.answered(new Answer.Refused(released(silent("b"))), at(4010)))
			.isInstanceOf(Step.Denied.class);
		assertThat(attempt.ended()).isNotEmpty();
	}

	@Test
	void aTakeoverWhoseAnswerWasLostIsRecognised() {
		Acquisition attempt = refused(AWAITING, silent("a"));
		LockWrite.Claim lost = claim(attempt.wake(at(4000)));
		assertThat(attempt.answered(unknown(), at(5000))).isInstanceOf(Step.Wait.class);
		claim(attempt.wake(at(5100)));
		Answer refusal = new Answer.Refused(Given.ours(lost.recordVersionNumber()));
		assertThat(attempt.answered(refusal, at(5110))).isInstanceOf(Step.Granted.class);
	}

	@Test
	void aWaitThatIsTooShortForTheLeaseIsExtendedForASilentOwner() {
		Acquisition waiter = acquisition(AWAITING, 1000);
		waiter.start(at(0));
		assertThat(waiter.answered(new Answer.Refused(silent("a")), at(0))).isInstanceOf(Step.Wait.class);
		assertThat(waiter.overdueAt(at(999))).isEqualTo(at(1000).observerNanos());
		assertThat(waiter.overdue(Map.of(), at(1000))).isNull();
		assertThat(waiter.overdueAt(at(1000))).isEqualTo(at(4000).observerNanos());
		assertThat(waiter.wake(at(1000))).isInstanceOf(Step.Read.class);
		assertThat(claim(waiter.wake(at(4000))).precondition()).isEqualTo(Precondition.only("a"));
	}

	@Test
	void aWaitTakesALockThatIsReleasedInItsTimeAlthoughItsOwnerSeemedSilent() {
		Acquisition waiter = acquisition(AWAITING, 1000);
		waiter.start(at(0));
		waiter.answered(new Answer.Refused(silent("a")), at(0));
		waiter.wake(at(500));
		assertThat(claim(waiter.answered(new Answer.Found(released(silent("b"))), at(500))).precondition())
			.isEqualTo(Precondition.FREE);
	}

	@Test
	void aCallerThatLeavesEndsTheWaitForASilentOwner() {
		Acquisition attempt = refused(AWAITING, silent("a"));
		attempt.abandon();
		assertThat(attempt.wake(at(1000))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void aStoreThatDoesNotAnswerIsNotTakenForASilentOwner() {
		this.observations.saw(silent("a"), at(0).observerNanos(), null);
		Acquisition attempt = acquisition(AWAITING, 0);
		assertThat(attempt.start(at(0))).isInstanceOf(Step.Read.class);
		long patience = Given.terms(AWAITING, 0).answerDeadline();
		assertThat(attempt.answered(unknown(), at(3000))).isInstanceOf(Step.Wait.class);
		assertThat(attempt.overdueAt(at(3000))).isEqualTo(patience);
	}

	@Test
	void aLockThatIsAdoptedIsTakenFromNoOtherOwner() {
		LockToken token = new LockToken(KEY, "them", "adopted", 100, Given.LEASE);
		Acquisition adoption = new Acquisition(Given.terms(AWAITING, 0).adopting(token, at(0)), this.observations,
				Given.numbered());
		adoption.start(at(0));
		assertThat(adoption.answered(new Answer.Refused(silent("a")), at(0))).isInstanceOf(Step.Denied.class);
	}

	/** A try that was refused by an owner and waits. */
	private Acquisition refused(LockRequest request, LockRecord holder) {
		Acquisition attempt = acquisition(request, 0);
		attempt.start(at(0));
		assertThat(attempt.answered(new Answer.Refused(holder), at(0))).isInstanceOf(Step.Wait.class);
		return attempt;
	}

	private Acquisition acquisition(LockRequest request, long waitMillis) {
		return new Acquisition(Given.terms(request, waitMillis), this.observations, Given.numbered());
	}

	/** The lock of an owner whose last renewal was more than a lease ago. */
	private static LockRecord silent(String version) {
		return theirs(version).toBuilder().renewedAt(Given.WALL_CLOCK.minusMillis(4001)).build();
	}

	private static LockRecord renewedBefore(Duration age) {
		return theirs("a").toBuilder().renewedAt(Given.WALL_CLOCK.minus(age)).build();
	}

	private static LockWrite.Claim claim(Step step) {
		assertThat(step).isInstanceOf(Step.Write.class);
		return (LockWrite.Claim) ((Step.Write) step).write();
	}

}

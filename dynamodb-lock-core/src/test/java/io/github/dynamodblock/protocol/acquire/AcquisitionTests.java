/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import java.time.Duration;
import java.util.Objects;

import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.protocol.lease.AcquisitionTerms;
import io.github.dynamodblock.protocol.lease.Renewals;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.terms;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

class AcquisitionTests {

	private final Observations observations = new Observations(100);

	private final Randomness randomness = Given.numbered();

	@Test
	void beginsWithOneConditionalWriteAndNoRead() {
		LockWrite.Claim claim = claim(acquisition(0).start(at(0)));
		assertThat(claim.wanted().ownerName()).isEqualTo("me");
		assertThat(claim.wanted().leaseDuration()).isEqualTo(Given.LEASE);
		assertThat(claim.recordVersionNumber()).isEqualTo("mine-1");
		assertThat(claim.precondition().version()).isNull();
	}

	@Test
	void seedsTheFencingTokenWithTheWallClockInMicroseconds() {
		LockWrite.Claim claim = claim(acquisition(0).start(at(5)));
		assertThat(claim.tokenSeed()).isEqualTo(Given.WALL_CLOCK.toEpochMilli() * 1000 + 5000);
	}

	@Test
	void seedsTheFencingTokenWithTheHighestTokenSeenIfTheWallClockIsBehind() {
		LockRecord ahead = released(theirs("a").toBuilder().fencingToken(Long.MAX_VALUE - 5).build());
		this.observations.sawNoOtherOwner(ahead, 0);
		assertThat(claim(acquisition(0).start(at(0))).tokenSeed()).isEqualTo(Long.MAX_VALUE - 5);
	}

	@Test
	void validityCountsFromBeforeTheWriteWasSentAndNotFromItsAnswer() {
		Acquisition acquisition = acquisition(0);
		acquisition.start(at(1000));
		Renewals lease = granted(acquisition.answered(applied("mine-1"), at(4000)));
		assertThat(lease.deadline()).isEqualTo(at(1000).holderNanos() + Given.TERMS.validityNanos());
	}

	@Test
	void aClaimThatWaitedForASlotCountsFromWhenItIsSent() {
		Acquisition acquisition = acquisition(0);
		Step.Write decided = (Step.Write) acquisition.start(at(1000));
		Step sent = Objects.requireNonNull(acquisition.sending(decided, () -> at(30_000)));
		assertThat(claim(sent).recordVersionNumber()).isEqualTo("mine-1");
		assertThat(claim(sent).tokenSeed()).isEqualTo(Given.WALL_CLOCK.toEpochMilli() * 1000 + 30_000_000);
		assertThat(claim(sent).timestamps()).isEqualTo(Given.TERMS.timestamps(at(30_000)));
		Renewals lease = granted(acquisition.answered(applied("mine-1"), at(30_010)));
		assertThat(lease.deadline()).isEqualTo(at(30_000).holderNanos() + Given.TERMS.validityNanos());
	}

	@Test
	void aReadWhoseCallerLeftBeforeItWasSentIsNotSent() {
		this.observations.saw(theirs("a"), 0, null);
		Acquisition acquisition = acquisition(0);
		Step.Read decided = (Step.Read) acquisition.start(at(1000));
		acquisition.abandon();
		assertThat(acquisition.sending(decided, () -> at(1010))).isNull();
		assertThat(acquisition.wake(at(1010))).isInstanceOf(Step.End.class);
		assertThat(acquisition.ended()).isEmpty();
	}

	@Test
	void aClaimWhoseCallerLeftBeforeItWasSentIsNotSent() {
		Acquisition acquisition = acquisition(60_000);
		Step.Write decided = (Step.Write) acquisition.start(at(0));
		acquisition.abandon();
		assertThat(acquisition.sending(decided, () -> at(10))).isNull();
		assertThat(acquisition.wake(at(10))).isInstanceOf(Step.End.class);
		assertThat(acquisition.ended()).isEmpty();
	}

	@Test
	void aRefusalAtTheFirstAttemptDeniesAndSaysWhoHoldsTheLockAndUntilWhen() {
		Acquisition acquisition = acquisition(0);
		acquisition.start(at(0));
		Step.Denied denied = denied(acquisition.answered(new Answer.Refused(theirs("a")), at(10)));
		assertThat(denied.holder()).extracting(LockRecord::ownerName).isEqualTo("them");
		assertThat(denied.leaseRemainingNanos()).isEqualTo(Duration.ofSeconds(4).toNanos());
	}

	@Test
	void aRefusalIsTheFirstObservationAndNeedsNoRead() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		Step step = acquisition.answered(new Answer.Refused(theirs("a")), at(10));
		assertThat(step).isInstanceOf(Step.Wait.class);
		assertThat(this.observations.find(KEY)).isNotNull();
	}

	@Test
	void pollsAHeldLockByEventuallyConsistentReadsAndWritesOnceWhenItIsFree() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(10));
		Step poll = acquisition.wake(at(60));
		assertThat(poll).isInstanceOfSatisfying(Step.Read.class, (read) -> assertThat(read.consistent()).isFalse());
		Step claim = acquisition.answered(new Answer.Found(released(theirs("b"))), at(70));
		assertThat(claim(claim).precondition().version()).isNull();
	}

	@Test
	void takesOverWhenTheRecordVersionNumberHasNotChangedForTheStoredLease() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(10));
		acquisition.wake(at(4009));
		acquisition.answered(new Answer.Found(theirs("a")), at(4009));
		assertThat(claim(acquisition.wake(at(4010))).precondition().version()).isEqualTo("a");
	}

	@Test
	void waitsTheStoredLeaseOfTheHolderAndNotItsOwn() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		LockRecord longLease = theirs("a").toBuilder().leaseDuration(Duration.ofSeconds(40)).build();
		acquisition.answered(new Answer.Refused(longLease), at(0));
		acquisition.wake(at(39_999));
		assertThat(acquisition.wake(at(39_999))).isInstanceOf(Step.Read.class);
		assertThat(claim(acquisition.wake(at(40_000))).precondition().version()).isEqualTo("a");
	}

	@Test
	void aHeartbeatOfTheHolderStartsTheLeaseAnew() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(0));
		acquisition.wake(at(3900));
		acquisition.answered(new Answer.Found(theirs("b")), at(3900));
		assertThat(acquisition.wake(at(7899))).isInstanceOf(Step.Mark.class);
		assertThat(claim(acquisition.wake(at(7900))).precondition().version()).isEqualTo("b");
	}

	@Test
	void aRecordVersionNumberThatWasSeenBeforeStartsTheLeaseAnewToo() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(0));
		acquisition.wake(at(1000));
		acquisition.answered(new Answer.Found(theirs("b")), at(1000));
		acquisition.wake(at(2000));
		acquisition.answered(new Answer.Found(theirs("a")), at(2000));
		assertThat(acquisition.wake(at(5999))).isInstanceOf(Step.Mark.class);
	}

	@Test
	void neverSleepsPastTheEndOfTheObservedLeaseOrTheDeadline() {
		Acquisition patient = acquisition(60_000);
		patient.start(at(0));
		patient.answered(new Answer.Refused(theirs("a")), at(0));
		patient.wake(at(3990));
		assertThat(waits(patient.answered(new Answer.Found(theirs("a")), at(3990)))).isEqualTo(at(4000));
		Acquisition hasty = acquisition(20);
		hasty.start(at(0));
		assertThat(waits(hasty.answered(new Answer.Refused(theirs("a")), at(0)))).isEqualTo(at(20));
	}

	@Test
	void givesUpAtTheDeadlineAndSaysWhoHoldsTheLock() {
		Acquisition acquisition = acquisition(1000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(0));
		Step.Denied denied = denied(acquisition.wake(at(1000)));
		assertThat(denied.holder()).extracting(LockRecord::ownerName).isEqualTo("them");
		assertThat(denied.leaseRemainingNanos()).isEqualTo(Duration.ofSeconds(3).toNanos());
	}

	@Test
	void aClientThatOnlyTriesTakesOverOnTheFirstTryALeaseAfterItFirstSawTheVersion() {
		tryAt(0, theirs("a"));
		tryAt(2000, theirs("a"));
		Acquisition last = acquisition(0);
		assertThat(claim(last.start(at(10_000))).precondition().version()).isEqualTo("a");
	}

	@Test
	void aTryBeginsWithAReadWhileAnotherOwnerWasSeenLessThanALeaseAgo() {
		tryAt(0, theirs("a"));
		assertThat(acquisition(0).start(at(3999))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isFalse());
	}

	@Test
	void aTryThatReadsAFreeLockTakesItAtOnce() {
		tryAt(0, theirs("a"));
		Acquisition acquisition = acquisition(0);
		acquisition.start(at(1000));
		claim(acquisition.answered(new Answer.Found(released(theirs("b"))), at(1001)));
	}

	@Test
	void aSuccessWhoseAnswerWasLostIsRecognisedAndCountsFromItsOwnFirstSend() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(1000));
		Step retry = acquisition.answered(unknown(), at(2000));
		assertThat(retry).isInstanceOf(Step.Wait.class);
		assertThat(claim(acquisition.wake(at(2050))).recordVersionNumber()).isEqualTo("mine-2");
		Renewals lease = granted(acquisition.answered(new Answer.Refused(ours("mine-1")), at(2060)));
		assertThat(lease.deadline()).isEqualTo(at(1000).holderNanos() + Given.TERMS.validityNanos());
		assertThat(lease.record().recordVersionNumber()).isEqualTo("mine-1");
	}

	@Test
	void aSuccessWhoseAnswerWasLostIsRecognisedHoweverManyConnectionsAreRefusedAfterIt() {
		LeaseTerms fiveMinutes = Given.terms(Duration.ofMinutes(5), Duration.ofMinutes(1), null);
		Acquisition acquisition = new Acquisition(new AcquisitionTerms(LockRequest.of(KEY), "me", fiveMinutes,
				Duration.ofMinutes(3).toNanos(), at(180_000).observerNanos(), false, null, null, null),
				this.observations, this.randomness);
		acquisition.start(at(0));
		long millis = 5000;
		for (int refused = 0; refused < 150; refused++) {
			millis = waits(acquisition.answered(unknown(), at(millis))).observerNanos() / 1_000_000;
			claim(acquisition.wake(at(millis)));
		}
		Renewals lease = granted(acquisition.answered(new Answer.Refused(ours("mine-1")), at(millis)));
		assertThat(lease.record().recordVersionNumber()).isEqualTo("mine-1");
	}

	@Test
	void aRecordThatThisAcquisitionDidNotWriteIsNeverTakenForItsOwn() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		acquisition.answered(unknown(), at(10));
		acquisition.wake(at(60));
		Step step = acquisition.answered(new Answer.Refused(ours("of-an-earlier-acquisition")), at(70));
		assertThat(step).isInstanceOf(Step.Wait.class);
	}

	@Test
	void anAnswerThatComesWhenItsValidityIsOverIsNoGrant() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		LockWrite.Claim again = claim(acquisition.answered(applied("mine-1"), at(9900)));
		assertThat(again.precondition().version()).isEqualTo("mine-1");
		Renewals lease = granted(acquisition.answered(applied("mine-2"), at(9950)));
		assertThat(lease.deadline()).isEqualTo(at(9900).holderNanos() + Given.TERMS.validityNanos());
	}

	@Test
	void aGrantWhileTheMachineSleptIsNoGrant() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0, 0));
		Step step = acquisition.answered(applied("mine-1"), at(10, 20_000));
		assertThat(claim(step).precondition().version()).isEqualTo("mine-1");
	}

	@Test
	void aLateGrantWithoutTimeForAnotherClaimIsReleased() {
		Acquisition acquisition = acquisition(5000);
		acquisition.start(at(0));
		assertThat(acquisition.answered(applied("mine-1"), at(14_900))).isInstanceOf(Step.Failed.class);
		Operation cleanup = cleanup(acquisition);
		assertThat(cleanup.start(at(14_900))).isInstanceOf(Step.Read.class);
		Step release = cleanup.answered(new Answer.Found(ours("mine-1")), at(14_910));
		assertThat(((LockWrite.Release) ((Step.Write) release).write()).expected()).containsExactly("mine-1");
	}

	@Test
	void aClaimThatIsAppliedBeforeTheCleanupsReleaseIsReleasedInstead() {
		Acquisition acquisition = acquisition(10_000);
		acquisition.start(at(0));
		claim(acquisition.answered(applied("mine-1"), at(9900)));
		acquisition.answered(unknown(), at(10_000));
		Operation cleanup = cleanup(acquisition);
		cleanup.start(at(10_000));
		cleanup.answered(new Answer.Found(ours("mine-1")), at(10_010));
		Answer refused = new Answer.Refused(ours("mine-2"));
		assertThat(cleanup.answered(refused, at(10_020))).isInstanceOf(Step.Wait.class);
		Step release = cleanup.wake(at(10_050));
		assertThat(((LockWrite.Release) ((Step.Write) release).write()).expected()).containsExactly("mine-2");
	}

	@Test
	void aSingleAttemptIsRepeatedWhileACallMayTakeIfItIsNotAnswered() {
		Acquisition acquisition = acquisition(0);
		acquisition.start(at(0));
		Step step = acquisition.answered(unknown(), at(100));
		assertThat(step).isInstanceOf(Step.Wait.class);
		claim(acquisition.wake(at(200)));
		granted(acquisition.answered(new Answer.Refused(ours("mine-1")), at(210)));
	}

	@Test
	void connectionsThatAreRefusedAtOnceAreTriedForTheWaitOrHalfASecond() {
		assertThat(millisOfRefusedConnections(acquisition(0), 0)).isEqualTo(500);
		assertThat(millisOfRefusedConnections(acquisition(100), 0)).isEqualTo(500);
		assertThat(millisOfRefusedConnections(acquisition(1000), 0)).isEqualTo(1000);
		assertThat(millisOfRefusedConnections(acquisition(60_000), 0)).isEqualTo(60_000);
		// Its turn comes when the wait is over.
		assertThat(millisOfRefusedConnections(acquisition(1000), 900)).isEqualTo(1400);
	}

	@Test
	void aCallThatHangsAfterTheWaitIsRepeatedOnceAndNotForAsLongAsCallsFail() {
		Acquisition acquisition = acquisition(0);
		acquisition.start(at(0));
		claim(acquisition.wake(waits(acquisition.answered(unknown(), at(3000)))));
		assertThat(acquisition.answered(unknown(), at(3100))).isInstanceOf(Step.Failed.class);
	}

	@Test
	void afterADefiniteRefusalNothingIsLeftToCleanUp() {
		Acquisition acquisition = acquisition(0);
		acquisition.start(at(0));
		denied(acquisition.answered(new Answer.Refused(theirs("a")), at(10)));
		assertThat(acquisition.ended()).isEmpty();
	}

	@Test
	void theCleanupOfAnUnansweredWriteBeginsWithAConsistentRead() {
		Acquisition acquisition = acquisition(1000);
		acquisition.start(at(0));
		acquisition.answered(unknown(), at(500));
		acquisition.abandon();
		acquisition.wake(at(600));
		Operation cleanup = cleanup(acquisition);
		assertThat(cleanup.start(at(600))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		assertThat(cleanup.answered(new Answer.Found(theirs("a")), at(610))).isInstanceOf(Step.Released.class);
	}

	@Test
	void anAbandonedAcquisitionBeginsNoCall() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(10));
		acquisition.abandon();
		denied(acquisition.wake(at(60)));
	}

	@Test
	void anAbandonedAcquisitionReportsItsGrantSoThatTheLockIsReleased() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		acquisition.abandon();
		granted(acquisition.answered(applied("mine-1"), at(10)));
	}

	@Test
	void aFailureForGoodEndsTheWait() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		LockTableException missing = new LockTableException("locks", LockTableException.Problem.MISSING, "missing",
				null);
		assertThat(acquisition.answered(new Answer.Failed(missing), at(10))).isEqualTo(new Step.Failed(missing));
		assertThat(acquisition.ended()).isEmpty();
	}

	@Test
	void aRefusalWithoutTheItemIsSettledByAConsistentRead() {
		Acquisition acquisition = acquisition(0);
		acquisition.start(at(0));
		assertThat(acquisition.answered(new Answer.Refused(null), at(10))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
	}

	@Test
	void aTakeoverThatWasRefusedAlthoughNothingChangedDoesNotSpin() {
		Acquisition acquisition = acquisition(60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(theirs("a")), at(0));
		claim(acquisition.wake(at(4000)));
		assertThat(acquisition.answered(new Answer.Refused(theirs("a")), at(4010))).isInstanceOf(Step.Wait.class);
	}

	@Test
	void anAdoptionOfALockThatWasReleasedEndsEvenWhereRefusalsCarryNoItem() {
		LockToken token = new LockToken(KEY, "them", "adopted", 100, Given.LEASE);
		Acquisition adoption = new Acquisition(terms(0).adopting(token, at(0)), this.observations, this.randomness);
		adoption.start(at(0));
		adoption.answered(new Answer.Refused(null), at(10));
		LockRecord freed = released(theirs("freed"));
		assertThat(denied(adoption.answered(new Answer.Found(freed), at(20))).holder()).isSameAs(freed);
	}

	@Test
	void theDataOfTheRequestIsWritten() {
		LockRequest request = LockRequest.of(KEY).data(new byte[] { 1, 2 });
		Acquisition acquisition = new Acquisition(terms(request, 0), this.observations, this.randomness);
		assertThat(claim(acquisition.start(at(0))).change().data()).hasValue(new byte[] { 1, 2 });
	}

	private void tryAt(long millis, LockRecord seen) {
		Acquisition acquisition = acquisition(0);
		Step first = acquisition.start(at(millis));
		Answer answer = (first instanceof Step.Read) ? new Answer.Found(seen) : new Answer.Refused(seen);
		denied(acquisition.answered(answer, at(millis)));
	}

	/** When an acquisition gives up. */
	private static long millisOfRefusedConnections(Acquisition acquisition, long begunAt) {
		ClockReading now = at(begunAt);
		Step step = acquisition.start(now);
		while (!(step instanceof Step.End)) {
			now = (step instanceof Step.Wait wait) ? Given.atNanos(wait.untilObserverNanos()) : now;
			step = (step instanceof Step.Wait) ? acquisition.wake(now) : acquisition.answered(unknown(), now);
		}
		assertThat(step).isInstanceOf(Step.Failed.class);
		return now.observerNanos() / 1_000_000;
	}

	private Acquisition acquisition(long waitMillis) {
		return new Acquisition(terms(waitMillis), this.observations, this.randomness);
	}

	private static Answer applied(String version) {
		return new Answer.Applied(ours(version));
	}

	private static Operation cleanup(Acquisition ended) {
		return Objects.requireNonNull(ended.ended().get(KEY));
	}

	private static LockWrite.Claim claim(Step step) {
		assertThat(step).isInstanceOf(Step.Write.class);
		return (LockWrite.Claim) ((Step.Write) step).write();
	}

	private static Renewals granted(Step step) {
		assertThat(step).isInstanceOf(Step.Granted.class);
		Step.Granted granted = (Step.Granted) step;
		return Renewals.granted(granted.record(), TERMS, granted.sentAt());
	}

	private static Step.Denied denied(Step step) {
		assertThat(step).isInstanceOf(Step.Denied.class);
		return (Step.Denied) step;
	}

	private static ClockReading waits(Step step) {
		assertThat(step).isInstanceOf(Step.Wait.class);
		return at(((Step.Wait) step).untilObserverNanos() / 1_000_000);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;
import java.util.Objects;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.RenewRequest;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.LEASE;
import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

class LeaseTests {

	private static final Answer APPLIED = new Answer.Applied(null);

	private final Course lease = Course.granted(ours("granted"), TERMS);

	@Test
	void theValidityIsShorterThanTheLeaseByTheToleranceOfBothClocks() {
		double validity = TERMS.validityNanos();
		assertThat(validity * 1.01).isLessThanOrEqualTo(LEASE.toNanos() * 0.99);
		assertThat(validity).isGreaterThan(LEASE.toNanos() * 0.98);
	}

	@Test
	void aHeartbeatIsAConditionOnTheLastAcknowledgedVersionAndSetsAFreshOne() {
		LockWrite.Renew renew = renewing(this.lease, "first", 2500).renewal();
		assertThat(renew.expected()).isEqualTo("granted");
		assertThat(renew.recordVersionNumber()).isEqualTo("first");
		Course renewed = renewing(this.lease, "first", 2500).answered(APPLIED, at(2510));
		assertThat(renewing(renewed, "second", 5000).renewal().expected()).isEqualTo("first");
	}

	@Test
	void aConfirmedHeartbeatExtendsTheLeaseFromBeforeItWasSent() {
		Course renewed = renewing(this.lease, "first", 2500).answered(APPLIED, at(4000));
		assertThat(renewed.deadline()).isEqualTo(at(2500).holderNanos() + TERMS.validityNanos());
	}

	@Test
	void anUnansweredHeartbeatExtendsNothing() {
		Course renewed = renewing(this.lease, "first", 2500).answered(unknown(), at(4000));
		assertThat(renewed.deadline()).isEqualTo(this.lease.deadline());
		assertThat(renewed.isLive()).isTrue();
	}

	@Test
	void aLostAnswerIsRecognisedByTheVersionAndCountsFromThatCallsOwnSend() {
		Course unanswered = renewing(this.lease, "first", 2500).answered(unknown(), at(4000));
		Course recovered = renewing(unanswered, "second", 4100).answered(new Answer.Refused(ours("first")), at(4200));
		assertThat(recovered.isLive()).isTrue();
		assertThat(recovered.deadline()).isEqualTo(at(2500).holderNanos() + TERMS.validityNanos());
		assertThat(renewing(recovered, "third", 4300).renewal().expected()).isEqualTo("first");
	}

	@Test
	void anAnswerConfirmsTheHeartbeatThatItAnswers() {
		Lease second = renewing(renewing(this.lease, "first", 2500), "second", 4100).lease();
		Lease confirmed = second.answered("first", APPLIED, at(4200), 0.5);
		assertThat(confirmed.renewals().record().recordVersionNumber()).isEqualTo("first");
		assertThat(confirmed.renewals().deadline()).isEqualTo(at(2500).holderNanos() + TERMS.validityNanos());
	}

	@Test
	void aCallerIsNotAnsweredByAHeartbeatThatWasSentBeforeItsOwn() {
		Result<Lease> waiter = new Course.Ignored<>();
		// The second one waits for the first, and no longer once that has had its time.
		Lease second = renewing(this.lease, "first", 2500).lease()
			.renew(RenewRequest.create(), waiter)
			.sending("waiting", at(2600))
			.at(at(4100))
			.sending("second", at(4100));
		assertThat(second.renewals().newest()).isEqualTo("second");
		Lease confirmed = second.answered("first", APPLIED, at(4200), 0.5);
		assertThat(confirmed.waiter()).isSameAs(waiter);
		assertThat(confirmed.renewals().record().recordVersionNumber()).isEqualTo("first");
		Lease refused = confirmed.answered("second", new Answer.Refused(ours("first")), at(4300), 0.5);
		Lease third = refused.sending("third", at(4400));
		assertThat(third.answered("third", APPLIED, at(4500), 0.5).waiter()).isNull();
	}

	@Test
	void aLateRefusalByARecordOfThisLeaseIsNoLoss() {
		Lease second = renewing(renewing(this.lease, "first", 2500), "second", 4100).lease();
		Lease confirmed = second.answered("second", APPLIED, at(4200), 0.5);
		Lease refused = confirmed.answered("first", new Answer.Refused(ours("granted")), at(4300), 0.5);
		assertThat(refused.lossReason()).isNull();
	}

	@Test
	void aReadThatALaterHeartbeatHasOvertakenShowsNoLoss() {
		Course missing = renewing(this.lease, "first", 2500).answered(new Answer.Refused(null), at(2600));
		// The next one waits for the read, and no longer once that has had its time.
		Lease waiting = missing.renewing("read", at(2700)).lease().sending("another read", at(2800));
		Lease reading = waiting.at(at(6000)).sending("another read", at(6000));
		Lease found = reading.answered("another read", new Answer.Found(ours("granted")), at(6100), 0.5);
		Lease renewed = found.sending("second", at(6200)).answered("second", APPLIED, at(6300), 0.5);
		assertThat(renewed.renewals().record().recordVersionNumber()).isEqualTo("second");
		assertThat(renewed.answered("read", new Answer.Found(ours("granted")), at(6400), 0.5).lossReason()).isNull();
	}

	@Test
	void anAnswerAtTheDeadlineOrLaterNeverRevivesTheLease() {
		long deadlineMillis = this.lease.deadline() / 1_000_000 + 1;
		Course late = renewing(this.lease, "first", 9000).answered(APPLIED, at(deadlineMillis));
		assertThat(late.lossReason()).isEqualTo(LossReason.EXPIRED);
		assertThat(late.answered(APPLIED, at(deadlineMillis)).isLive()).isFalse();
	}

	@Test
	void noHeartbeatKeepsALeaseBeyondItsLimit() {
		Course limited = limited(5000);
		Course renewed = renewing(limited, "first", 2500).answered(APPLIED, at(2600));
		assertThat(renewed.deadline()).isGreaterThan(this.lease.deadline());
		assertThat(renewed.lostAt()).isEqualTo(at(5000).holderNanos());
		assertThat(renewed.at(at(4999)).isLive()).isTrue();
		assertThat(renewed.at(at(5000)).lossReason()).isEqualTo(LossReason.HELD_TOO_LONG);
		assertThat(renewing(renewed, "second", 4900).answered(APPLIED, at(5001)).lossReason())
			.isEqualTo(LossReason.HELD_TOO_LONG);
	}

	@Test
	void whatComesFirstOfLimitAndDeadlineIsTheReason() {
		Course limited = limited(60_000);
		assertThat(limited.at(at(70_000)).lossReason()).isEqualTo(LossReason.EXPIRED);
		assertThat(limited(5000).at(at(70_000)).lossReason()).isEqualTo(LossReason.HELD_TOO_LONG);
	}

	@Test
	void theSleepOfTheMachineCountsAgainstTheLimit() {
		Course limited = limited(9000);
		assertThat(limited.at(at(100, 9000)).lossReason()).isEqualTo(LossReason.HELD_TOO_LONG);
	}

	@Test
	void theSleepOfTheMachineCountsAgainstTheHolder() {
		assertThat(this.lease.at(at(100, 9900)).lossReason()).isEqualTo(LossReason.EXPIRED);
	}

	@Test
	void anotherOwnersRecordMeansStolen() {
		Course stolen = renewing(this.lease, "first", 2500).answered(new Answer.Refused(theirs("a")), at(2510));
		assertThat(stolen.lossReason()).isEqualTo(LossReason.STOLEN);
	}

	@Test
	void aLossStaysWithItsFirstReason() {
		Course stolen = this.lease.lost(LossReason.STOLEN);
		assertThat(stolen.lost(LossReason.CLOSED).lossReason()).isEqualTo(LossReason.STOLEN);
		assertThat(stolen.at(at(20_000)).lossReason()).isEqualTo(LossReason.STOLEN);
	}

	@Test
	void aMissingItemIsBelievedOnlyAfterAConsistentRead() {
		Course asking = renewing(this.lease, "first", 2500).answered(new Answer.Refused(null), at(2510));
		assertThat(asking.isLive()).isTrue();
		assertThat(asking.seemsMissing()).isTrue();
		Course reading = asking.renewing("read", at(2510));
		assertThat(reading.call()).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		assertThat(reading.answered(new Answer.Found(null), at(2520)).lossReason()).isEqualTo(LossReason.ITEM_MISSING);
		Course found = reading.answered(new Answer.Found(ours("first")), at(2520));
		assertThat(found.isLive()).isTrue();
		assertThat(found.seemsMissing()).isFalse();
	}

	@Test
	void aReleaseInThisOwnersNameIsTheAdministrators() {
		Course lost = renewing(this.lease, "first", 2500)
			.answered(new Answer.Refused(released(ours("by-administrator"))), at(2510));
		assertThat(lost.lossReason()).isEqualTo(LossReason.RELEASED_BY_ADMINISTRATOR);
	}

	@Test
	void aReleaseByTheNextOwnerMeansStolen() {
		Course lost = renewing(this.lease, "first", 2500).answered(new Answer.Refused(released(theirs("a"))), at(2510));
		assertThat(lost.lossReason()).isEqualTo(LossReason.STOLEN);
	}

	@Test
	void aMissingTableIsALossAndAnyOtherFailureIsTriedAgain() {
		Course asking = renewing(this.lease, "first", 2500);
		Answer missing = new Answer.Failed(
				new LockTableException("locks", LockTableException.Problem.MISSING, "missing", null));
		assertThat(asking.answered(missing, at(2510)).lossReason()).isEqualTo(LossReason.TABLE_MISSING);
		Answer other = new Answer.Failed(
				new LockTableException("locks", LockTableException.Problem.WRONG_KEY_SCHEMA, "wrong", null));
		assertThat(asking.answered(other, at(2510)).isLive()).isTrue();
	}

	@Test
	void aShorterLeaseMovesTheDeadlineBeforeItIsSent() {
		Course shorter = this.lease.asked(Duration.ofSeconds(1), ItemChange.none()).renewing("first", at(2000));
		long validity = Given.terms(Duration.ofSeconds(1), Duration.ofMillis(250), null).validityNanos();
		assertThat(shorter.deadline()).isEqualTo(at(2000).holderNanos() + validity);
		assertThat(shorter.answered(unknown(), at(2100)).deadline()).isEqualTo(shorter.deadline());
	}

	@Test
	void aShorterLeaseMovesTheDeadlineAlsoAfterAnEarlierHeartbeatWasRecognised() {
		Duration second = Duration.ofSeconds(1);
		Course unanswered = renewing(this.lease, "first", 2000).answered(unknown(), at(2100));
		Course recognised = unanswered.asked(second, ItemChange.none())
			.renewing("second", at(2200))
			.answered(new Answer.Refused(ours("first")), at(2300));
		Course again = recognised.asked(second, ItemChange.none()).renewing("third", at(2400));
		assertThat(again.deadline()).isLessThan(at(3400).holderNanos());
	}

	@Test
	void aLongerLeaseExtendsTheDeadlineOnlyWhenItIsConfirmed() {
		Course longer = this.lease.asked(Duration.ofSeconds(60), ItemChange.none()).renewing("first", at(2000));
		assertThat(longer.deadline()).isEqualTo(this.lease.deadline());
		Course confirmed = longer.answered(APPLIED, at(2100));
		assertThat(confirmed.deadline()).isGreaterThan(at(60_000).holderNanos());
		assertThat(confirmed.record().leaseDuration()).isEqualTo(Duration.ofSeconds(60));
	}

	@Test
	void aReleaseIsAConditionOnEveryVersionThatMayBeThisLeases() {
		Course unanswered = renewing(this.lease, "first", 2500).answered(unknown(), at(2600));
		Course again = renewing(unanswered, "second", 2700);
		LockWrite.Release release = release(again.ending());
		assertThat(release.expected()).containsExactlyInAnyOrder("granted", "first", "second");
		assertThat(release.recordVersionNumber()).isEqualTo("mine-1");
	}

	@Test
	void versionsWhoseConditionIsOverAreForgotten() {
		Course unanswered = renewing(this.lease, "first", 2500).answered(unknown(), at(2600));
		Course confirmed = renewing(unanswered, "second", 2700).answered(APPLIED, at(2800));
		LockWrite.Release release = release(confirmed);
		assertThat(release.expected()).containsExactly("second");
	}

	@Test
	void isExpiringWhenAThirdOfTheValidityIsLeftUntilAHeartbeatIsConfirmed() {
		Course expiring = this.lease.at(at(7000));
		assertThat(this.lease.at(at(6000)).isExpiring()).isFalse();
		assertThat(expiring.isExpiring()).isTrue();
		assertThat(expiring.isLive()).isTrue();
		Course recovered = renewing(expiring, "first", 7100).answered(APPLIED, at(7200));
		assertThat(recovered.isExpiring()).isFalse();
	}

	@Test
	void isContendedOnceAHeartbeatOrTheReleaseShowsThatAnotherOwnerWaits() {
		Course own = renewing(this.lease, "first", 2500).answered(new Answer.Applied(null, "me"), at(2600));
		assertThat(own.lease().isContended()).isFalse();
		Course other = renewing(own, "second", 5000).answered(new Answer.Applied(null, "them"), at(5100));
		assertThat(other.lease().isContended()).isTrue();
		Course later = renewing(other, "third", 7500).answered(APPLIED, at(7600));
		assertThat(later.lease().isContended()).isTrue();
		Lease releasing = own.ending().lease();
		Ending ending = Objects.requireNonNull(releasing.ending());
		assertThat(releasing.released(ending, Step.Released.freed(true)).isContended()).isTrue();
		assertThat(releasing.released(ending, Step.Released.freed(false)).isContended()).isFalse();
	}

	@Test
	void aHeartbeatRecognisedTooLateDoesNotEndTheWarning() {
		Course unanswered = renewing(this.lease, "first", 2500).answered(unknown(), at(4000));
		Course expiring = renewing(unanswered, "second", 9100).at(at(9100));
		Course extended = expiring.answered(new Answer.Refused(ours("first")), at(9200));
		assertThat(extended.deadline()).isGreaterThan(expiring.deadline());
		assertThat(extended.isExpiring()).isTrue();
	}

	@Test
	void aReleaseThatHasBegunIsNeitherLostNorRenewed() {
		Course ending = this.lease.ending();
		assertThat(ending.isLive()).isFalse();
		assertThat(ending.at(at(20_000)).lease().lossReason()).isNull();
		assertThat(ending.lost(LossReason.STOLEN).lease().lossReason()).isNull();
	}

	@Test
	void aReleaseThatFindsTheLockGoneReportsWhy() {
		assertThat(lossFoundByTheRelease(Step.Released.not(theirs("a")))).isEqualTo(LossReason.STOLEN);
		assertThat(lossFoundByTheRelease(Step.Released.not(released(theirs("a"))))).isEqualTo(LossReason.STOLEN);
		assertThat(lossFoundByTheRelease(Step.Released.not(released(ours("by-administrator")))))
			.isEqualTo(LossReason.RELEASED_BY_ADMINISTRATOR);
		assertThat(lossFoundByTheRelease(Step.Released.not(null))).isEqualTo(LossReason.ITEM_MISSING);
		assertThat(lossFoundByTheRelease(
				new Step.Failed(new LockTableException("locks", LockTableException.Problem.MISSING, "missing", null))))
			.isEqualTo(LossReason.TABLE_MISSING);
		assertThat(lossFoundByTheRelease(Step.Released.freed(false))).isNull();
	}

	@Test
	void callsAreLimitedByTheValidityThatIsLeft() {
		assertThat(limitNanos(this.lease.renewing("a", at(9700))))
			.isLessThanOrEqualTo(this.lease.deadline() - at(9700).holderNanos());
	}

	private static Course limited(long millis) {
		return Course.granted(ours("granted"), TERMS, Duration.ofMillis(millis));
	}

	private static long limitNanos(Course lease) {
		return Objects.requireNonNull(lease.call()).limitNanos();
	}

	private static Course renewing(Course lease, String version, long millis) {
		return lease.renewing(version, at(millis));
	}

	private @Nullable LossReason lossFoundByTheRelease(Step.End end) {
		Lease releasing = this.lease.ending().lease();
		return releasing.released(Objects.requireNonNull(releasing.ending()), end).lossReason();
	}

	private static LockWrite.Release release(Course lease) {
		Release release = new Release(lease.lease().renewals(), false, ItemChange.none(), Given.numbered());
		return (LockWrite.Release) ((Step.Write) release.start(at(2900))).write();
	}

}

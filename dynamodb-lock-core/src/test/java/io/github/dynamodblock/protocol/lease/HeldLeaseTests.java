/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.LockTableException;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.LEASE;
import static io.github.dynamodblock.protocol.Given.TERMS;
import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

class HeldLeaseTests {

	private static final Answer APPLIED = new Answer.Applied(null);

	private final HeldLease lease = HeldLease.granted(ours("granted"), TERMS, at(0).holderNanos());

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
		HeldLease renewed = renewing(this.lease, "first", 2500).answered(APPLIED, at(2510));
		assertThat(renewing(renewed, "second", 5000).renewal().expected()).isEqualTo("first");
	}

	@Test
	void aConfirmedHeartbeatExtendsTheLeaseFromBeforeItWasSent() {
		HeldLease renewed = renewing(this.lease, "first", 2500).answered(APPLIED, at(4000));
		assertThat(renewed.deadline()).isEqualTo(at(2500).holderNanos() + TERMS.validityNanos());
	}

	@Test
	void anUnansweredHeartbeatExtendsNothing() {
		HeldLease renewed = renewing(this.lease, "first", 2500).answered(unknown(), at(4000));
		assertThat(renewed.deadline()).isEqualTo(this.lease.deadline());
		assertThat(renewed.isKept()).isTrue();
	}

	@Test
	void aLostAnswerIsRecognisedByTheVersionAndCountsFromThatCallsOwnSend() {
		HeldLease unanswered = renewing(this.lease, "first", 2500).answered(unknown(), at(4000));
		HeldLease recovered = renewing(unanswered, "second", 4100).answered(new Answer.Refused(ours("first")),
				at(4200));
		assertThat(recovered.isKept()).isTrue();
		assertThat(recovered.deadline()).isEqualTo(at(2500).holderNanos() + TERMS.validityNanos());
		assertThat(renewing(recovered, "third", 4300).renewal().expected()).isEqualTo("first");
	}

	@Test
	void anAnswerAtTheDeadlineOrLaterNeverRevivesTheLease() {
		long deadlineMillis = this.lease.deadline() / 1_000_000 + 1;
		HeldLease late = renewing(this.lease, "first", 9000).answered(APPLIED, at(deadlineMillis));
		assertThat(late.lossReason()).isEqualTo(LossReason.EXPIRED);
		assertThat(late.answered(APPLIED, at(deadlineMillis)).isKept()).isFalse();
	}

	@Test
	void noHeartbeatKeepsALeaseBeyondItsLimit() {
		HeldLease limited = this.lease.limited(at(5000).holderNanos());
		HeldLease renewed = renewing(limited, "first", 2500).answered(APPLIED, at(2600));
		assertThat(renewed.deadline()).isGreaterThan(this.lease.deadline());
		assertThat(renewed.lostAt()).isEqualTo(at(5000).holderNanos());
		assertThat(renewed.at(at(4999)).isKept()).isTrue();
		assertThat(renewed.at(at(5000)).lossReason()).isEqualTo(LossReason.HELD_TOO_LONG);
		assertThat(renewing(renewed, "second", 4900).answered(APPLIED, at(5001)).lossReason())
			.isEqualTo(LossReason.HELD_TOO_LONG);
	}

	@Test
	void whatComesFirstOfLimitAndDeadlineIsTheReason() {
		HeldLease limited = this.lease.limited(at(60_000).holderNanos());
		assertThat(limited.at(at(70_000)).lossReason()).isEqualTo(LossReason.EXPIRED);
		assertThat(this.lease.limited(at(5000).holderNanos()).at(at(70_000)).lossReason())
			.isEqualTo(LossReason.HELD_TOO_LONG);
	}

	@Test
	void theSleepOfTheMachineCountsAgainstTheLimit() {
		HeldLease limited = this.lease.limited(at(9000).holderNanos());
		assertThat(limited.at(at(100, 9000)).lossReason()).isEqualTo(LossReason.HELD_TOO_LONG);
	}

	@Test
	void theSleepOfTheMachineCountsAgainstTheHolder() {
		assertThat(this.lease.at(at(100, 9900)).lossReason()).isEqualTo(LossReason.EXPIRED);
	}

	@Test
	void anotherOwnersRecordMeansStolen() {
		HeldLease stolen = renewing(this.lease, "first", 2500).answered(new Answer.Refused(theirs("a")), at(2510));
		assertThat(stolen.lossReason()).isEqualTo(LossReason.STOLEN);
	}

	@Test
	void aLossStaysWithItsFirstReason() {
		HeldLease stolen = this.lease.lost(LossReason.STOLEN);
		assertThat(stolen.lost(LossReason.CLOSED).lossReason()).isEqualTo(LossReason.STOLEN);
		assertThat(stolen.at(at(20_000)).lossReason()).isEqualTo(LossReason.STOLEN);
	}

	@Test
	void aMissingItemIsBelievedOnlyAfterAConsistentRead() {
		HeldLease asking = renewing(this.lease, "first", 2500).answered(new Answer.Refused(null), at(2510));
		assertThat(asking.isKept()).isTrue();
		assertThat(asking.seemsMissing()).isTrue();
		assertThat(Heartbeats.granted(this.lease, at(0)).call(asking, at(2510))).isInstanceOfSatisfying(Step.Read.class,
				(read) -> assertThat(read.consistent()).isTrue());
		assertThat(asking.answered(new Answer.Found(null), at(2520)).lossReason()).isEqualTo(LossReason.ITEM_MISSING);
		HeldLease found = asking.answered(new Answer.Found(ours("first")), at(2520));
		assertThat(found.isKept()).isTrue();
		assertThat(found.seemsMissing()).isFalse();
	}

	@Test
	void aReleaseInThisOwnersNameIsTheAdministrators() {
		HeldLease lost = renewing(this.lease, "first", 2500)
			.answered(new Answer.Refused(released(ours("by-administrator"))), at(2510));
		assertThat(lost.lossReason()).isEqualTo(LossReason.RELEASED_BY_ADMINISTRATOR);
	}

	@Test
	void aReleaseByTheNextOwnerMeansStolen() {
		HeldLease lost = renewing(this.lease, "first", 2500).answered(new Answer.Refused(released(theirs("a"))),
				at(2510));
		assertThat(lost.lossReason()).isEqualTo(LossReason.STOLEN);
	}

	@Test
	void aMissingTableIsALossAndAnyOtherFailureIsTriedAgain() {
		HeldLease asking = renewing(this.lease, "first", 2500);
		Answer missing = new Answer.Failed(
				new LockTableException("locks", LockTableException.Problem.MISSING, "missing", null));
		assertThat(asking.answered(missing, at(2510)).lossReason()).isEqualTo(LossReason.TABLE_MISSING);
		Answer other = new Answer.Failed(
				new LockTableException("locks", LockTableException.Problem.WRONG_KEY_SCHEMA, "wrong", null));
		assertThat(asking.answered(other, at(2510)).isKept()).isTrue();
	}

	@Test
	void aShorterLeaseMovesTheDeadlineBeforeItIsSent() {
		HeldLease shorter = this.lease.asked(Duration.ofSeconds(1), ItemChange.none()).renewing("first", at(2000));
		long validity = Given.terms(Duration.ofSeconds(1), Duration.ofMillis(250), null).validityNanos();
		assertThat(shorter.deadline()).isEqualTo(at(2000).holderNanos() + validity);
		assertThat(shorter.answered(unknown(), at(2100)).deadline()).isEqualTo(shorter.deadline());
	}

	@Test
	void aShorterLeaseMovesTheDeadlineAlsoAfterAnEarlierHeartbeatWasRecognised() {
		Duration second = Duration.ofSeconds(1);
		HeldLease unanswered = renewing(this.lease, "first", 2000).answered(unknown(), at(2100));
		HeldLease recognised = unanswered.asked(second, ItemChange.none())
			.renewing("second", at(2200))
			.answered(new Answer.Refused(ours("first")), at(2300));
		HeldLease again = recognised.asked(second, ItemChange.none()).renewing("third", at(2400));
		assertThat(again.deadline()).isLessThan(at(3400).holderNanos());
	}

	@Test
	void aLongerLeaseExtendsTheDeadlineOnlyWhenItIsConfirmed() {
		HeldLease longer = this.lease.asked(Duration.ofSeconds(60), ItemChange.none()).renewing("first", at(2000));
		assertThat(longer.deadline()).isEqualTo(this.lease.deadline());
		HeldLease confirmed = longer.answered(APPLIED, at(2100));
		assertThat(confirmed.deadline()).isGreaterThan(at(60_000).holderNanos());
		assertThat(confirmed.record().leaseDuration()).isEqualTo(Duration.ofSeconds(60));
	}

	@Test
	void aReleaseIsAConditionOnEveryVersionThatMayBeThisLeases() {
		HeldLease unanswered = renewing(this.lease, "first", 2500).answered(unknown(), at(2600));
		HeldLease again = renewing(unanswered, "second", 2700);
		LockWrite.Release release = release(again.ending());
		assertThat(release.expected()).containsExactlyInAnyOrder("granted", "first", "second");
		assertThat(release.recordVersionNumber()).isEqualTo("mine-1");
	}

	@Test
	void versionsWhoseConditionIsOverAreForgotten() {
		HeldLease unanswered = renewing(this.lease, "first", 2500).answered(unknown(), at(2600));
		HeldLease confirmed = renewing(unanswered, "second", 2700).answered(APPLIED, at(2800));
		LockWrite.Release release = release(confirmed);
		assertThat(release.expected()).containsExactly("second");
	}

	@Test
	void isExpiringWhenAThirdOfTheValidityIsLeftUntilAHeartbeatIsConfirmed() {
		HeldLease expiring = this.lease.at(at(7000));
		assertThat(this.lease.at(at(6000)).isExpiring()).isFalse();
		assertThat(expiring.isExpiring()).isTrue();
		assertThat(expiring.isKept()).isTrue();
		HeldLease recovered = renewing(expiring, "first", 7100).answered(APPLIED, at(7200));
		assertThat(recovered.isExpiring()).isFalse();
	}

	@Test
	void aHeartbeatRecognisedTooLateDoesNotEndTheWarning() {
		HeldLease unanswered = renewing(this.lease, "first", 2500).answered(unknown(), at(4000));
		HeldLease expiring = renewing(unanswered, "second", 9100).at(at(9100));
		HeldLease extended = expiring.answered(new Answer.Refused(ours("first")), at(9200));
		assertThat(extended.deadline()).isGreaterThan(expiring.deadline());
		assertThat(extended.isExpiring()).isTrue();
	}

	@Test
	void aReleaseThatHasBegunIsNeitherLostNorRenewed() {
		HeldLease ending = this.lease.ending();
		assertThat(ending.isKept()).isFalse();
		assertThat(ending.at(at(20_000)).lossReason()).isNull();
		assertThat(ending.lost(LossReason.STOLEN).lossReason()).isNull();
	}

	@Test
	void callsAreLimitedByTheValidityThatIsLeft() {
		assertThat(renewing(this.lease, "a", 0).callLimitNanos(at(0))).isEqualTo(Step.Call.LONGEST_NANOS);
		assertThat(renewing(this.lease, "a", 9700).callLimitNanos(at(9700)))
			.isLessThanOrEqualTo(this.lease.deadline() - at(9700).holderNanos());
	}

	private static HeldLease renewing(HeldLease lease, String version, long millis) {
		return lease.renewing(version, at(millis));
	}

	private static LockWrite.Release release(HeldLease lease) {
		Release release = new Release(lease, false, ItemChange.none(), Given.numbered());
		return (LockWrite.Release) ((Step.Write) release.start(at(2900))).write();
	}

}

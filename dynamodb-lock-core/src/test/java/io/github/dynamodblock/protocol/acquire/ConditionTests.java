/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.ItemChange;
import io.github.dynamodblock.ItemCondition;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Given;
import io.github.dynamodblock.protocol.LockWrite;
import io.github.dynamodblock.protocol.LockWrite.Precondition;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static io.github.dynamodblock.protocol.Given.at;
import static io.github.dynamodblock.protocol.Given.ours;
import static io.github.dynamodblock.protocol.Given.released;
import static io.github.dynamodblock.protocol.Given.theirs;
import static io.github.dynamodblock.protocol.Given.unknown;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Acquisitions with a condition that their own claim makes false: each tick is granted
 * once.
 */
class ConditionTests {

	private static final ItemCondition BEFORE_7 = ItemCondition.notExists("tick")
		.or(ItemCondition.lessThan("tick", tick(7)));

	private static final LockRequest REQUEST = LockRequest.of(Given.KEY)
		.condition(BEFORE_7)
		.change(ItemChange.none().attribute("tick", tick(7)));

	private final Observations observations = new Observations(100);

	@Test
	void everyClaimCarriesTheConditionInTheStatesOfItsRequest() {
		assertThat(precondition(acquisition(REQUEST, 0).start(at(0)))).isEqualTo(Precondition.FREE.with(BEFORE_7));
		assertThat(precondition(acquisition(REQUEST.onlyIfItemExists(true), 0).start(at(0))))
			.isEqualTo(new Precondition(false, true, null, BEFORE_7));
	}

	@Test
	void aReleasedLockWhoseItemDoesNotMeetTheConditionEndsTheAcquisitionHoweverLongItMayWait() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		LockRecord found = with(7, released(theirs("a")));
		assertThat(acquisition.answered(new Answer.Refused(found), at(10))).isEqualTo(new Step.ConditionNotMet(found));
		assertThat(acquisition.ended()).isEmpty();
	}

	@Test
	void aHeldLockIsWaitedForAndTheConditionIsEvaluatedByTheNextClaim() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		assertThat(acquisition.answered(new Answer.Refused(with(7, theirs("a"))), at(10)))
			.isInstanceOf(Step.Wait.class);
		acquisition.wake(at(60));
		// A read may be stale: it ends nothing.
		LockRecord free = with(7, released(theirs("b")));
		assertThat(precondition(acquisition.answered(new Answer.Found(free), at(70))).condition()).isEqualTo(BEFORE_7);
		assertThat(acquisition.answered(new Answer.Refused(free), at(80))).isInstanceOf(Step.ConditionNotMet.class);
	}

	@Test
	void aRefusedTryOfAHeldLockSaysThatItIsBusy() {
		Acquisition acquisition = acquisition(REQUEST, 0);
		acquisition.start(at(0));
		assertThat(acquisition.answered(new Answer.Refused(with(7, theirs("a"))), at(10)))
			.isInstanceOf(Step.Denied.class);
	}

	@Test
	void aTakeoverCarriesTheConditionAndEndsTheAcquisitionIfItDoesNotHold() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(with(7, theirs("a"))), at(10));
		Step takeover = acquisition.wake(at(4010));
		assertThat(precondition(takeover)).isEqualTo(Precondition.FREE.orVersion("a").with(BEFORE_7));
		assertThat(acquisition.answered(new Answer.Refused(with(7, theirs("a"))), at(4020)))
			.isInstanceOf(Step.ConditionNotMet.class);
		assertThat(acquisition.ended()).isEmpty();
	}

	@Test
	void thoseThatWaitBehindAreNotRefusedForTheConditionOfAnother() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(with(7, theirs("a"))), at(10));
		acquisition.wake(at(4010));
		// Another acquisition has seen a later owner, before which this answer was given.
		this.observations.saw(with(7, theirs("b")), at(4015).observerNanos(), null);
		assertThat(acquisition.answered(new Answer.Refused(with(7, theirs("a"))), at(4020)))
			.isInstanceOf(Step.ConditionNotMet.class);
		assertThat(acquisition.evidence(Given.KEY, at(4021))).isInstanceOf(Step.Denied.class);
	}

	@Test
	void aTakeoverThatAHeartbeatRefusesSaysNothingAboutTheCondition() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(with(7, theirs("a"))), at(10));
		acquisition.wake(at(4010));
		assertThat(acquisition.answered(new Answer.Refused(with(7, theirs("b"))), at(4020)))
			.isInstanceOf(Step.Wait.class);
	}

	@Test
	void aTakeoverFromASilentOwnerCarriesTheCondition() {
		Acquisition acquisition = acquisition(REQUEST.awaitSilentOwner(true), 0);
		acquisition.start(at(0));
		LockRecord silent = with(6, theirs("a")).toBuilder().renewedAt(Given.WALL_CLOCK.minusSeconds(60)).build();
		assertThat(acquisition.answered(new Answer.Refused(silent), at(0))).isInstanceOf(Step.Wait.class);
		assertThat(precondition(acquisition.wake(at(4000)))).isEqualTo(Precondition.only("a").with(BEFORE_7));
	}

	@Test
	void aClaimWhoseAnswerWasLostIsGrantedAlthoughItMadeItsOwnConditionFalse() {
		Acquisition acquisition = acquisition(REQUEST, 0);
		acquisition.start(at(0));
		acquisition.answered(unknown(), at(100));
		assertThat(precondition(acquisition.wake(at(200)))).isEqualTo(Precondition.FREE.with(BEFORE_7));
		assertThat(acquisition.answered(new Answer.Refused(with(7, ours("mine-1"))), at(210)))
			.isInstanceOfSatisfying(Step.Granted.class, (granted) -> assertThat(granted.sentAt()).isZero());
	}

	@Test
	void aGrantThatCameTooLateIsClaimedOnceMoreWithoutTheConditionThatItMadeFalse() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		Step again = acquisition.answered(new Answer.Applied(with(7, ours("mine-1"))), at(9900));
		assertThat(precondition(again)).isEqualTo(Precondition.only("mine-1"));
		assertThat(acquisition.answered(new Answer.Applied(with(7, ours("mine-2"))), at(9950)))
			.isInstanceOf(Step.Granted.class);
	}

	@Test
	void aLockThatWasFreedBeforeItIsClaimedOnceMoreIsClaimedWithTheCondition() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Applied(with(7, ours("mine-1"))), at(9900));
		LockRecord freed = with(7, released(theirs("x")));
		assertThat(acquisition.answered(new Answer.Refused(freed), at(9950))).isInstanceOf(Step.Wait.class);
		assertThat(precondition(acquisition.wake(at(10_000)))).isEqualTo(Precondition.FREE.with(BEFORE_7));
		assertThat(acquisition.answered(new Answer.Refused(freed), at(10_010)))
			.isInstanceOf(Step.ConditionNotMet.class);
	}

	@Test
	void aLockWithoutItemThatDoesNotMeetTheConditionEndsTheAcquisitionAfterOneConsistentRead() {
		Acquisition acquisition = acquisition(LockRequest.of(Given.KEY).condition(ItemCondition.exists("tick")),
				60_000);
		acquisition.start(at(0));
		Step read = acquisition.answered(new Answer.Refused(null), at(10));
		assertThat(read).isInstanceOfSatisfying(Step.Read.class, (step) -> assertThat(step.consistent()).isTrue());
		assertThat(acquisition.answered(new Answer.Found(null), at(20))).isEqualTo(new Step.ConditionNotMet(null));
		assertThat(acquisition.ended()).isEmpty();
	}

	@Test
	void aLockThatMustHaveAnItemAndHasNoneIsAbsentWhateverItsCondition() {
		Acquisition acquisition = acquisition(
				LockRequest.of(Given.KEY).condition(ItemCondition.exists("tick")).onlyIfItemExists(true), 0);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(null), at(10));
		assertThat(acquisition.answered(new Answer.Found(null), at(20))).isInstanceOf(Step.Absent.class);
	}

	@Test
	void anItemThatWasDeletedAfterTheClaimSaysNothingAboutTheCondition() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		Step read = acquisition.answered(new Answer.Applied(null), at(10));
		assertThat(read).isInstanceOfSatisfying(Step.Read.class, (step) -> assertThat(step.consistent()).isTrue());
		assertThat(precondition(acquisition.answered(new Answer.Found(null), at(20))).condition()).isEqualTo(BEFORE_7);
	}

	@Test
	void anUnansweredClaimAndAReadSayNothingAboutTheConditionAndTheNextClaimDecides() {
		Acquisition acquisition = acquisition(REQUEST, 60_000);
		acquisition.start(at(0));
		acquisition.answered(new Answer.Refused(null), at(10));
		acquisition.answered(unknown(), at(20));
		LockRecord free = with(7, released(theirs("a")));
		assertThat(precondition(acquisition.wake(at(200))).condition()).isEqualTo(BEFORE_7);
		acquisition.answered(unknown(), at(300));
		assertThat(precondition(acquisition.wake(at(600))).condition()).isEqualTo(BEFORE_7);
		assertThat(acquisition.answered(new Answer.Refused(free), at(610))).isInstanceOf(Step.ConditionNotMet.class);
	}

	@Test
	void anAdoptionIsRefusedIfTheItemDoesNotMeetTheCondition() {
		LockToken token = new LockToken(Given.KEY, "them", "a", 100, Given.LEASE);
		Acquisition acquisition = new Acquisition(Given.terms(REQUEST, 0).adopting(token, at(0)), this.observations,
				Given.numbered());
		assertThat(precondition(acquisition.start(at(0)))).isEqualTo(Precondition.only("a").with(BEFORE_7));
		assertThat(acquisition.answered(new Answer.Refused(with(7, theirs("a"))), at(10)))
			.isInstanceOf(Step.ConditionNotMet.class);
	}

	private Acquisition acquisition(LockRequest request, long waitMillis) {
		return new Acquisition(Given.terms(request, waitMillis), this.observations, Given.numbered());
	}

	private static Precondition precondition(@Nullable Step step) {
		assertThat(step).isInstanceOf(Step.Write.class);
		assertThat(((Step.Write) step).write()).isInstanceOf(LockWrite.Claim.class);
		return ((LockWrite.Claim) ((Step.Write) step).write()).precondition();
	}

	private static LockRecord with(int tick, LockRecord record) {
		return record.toBuilder().change(ItemChange.none().attribute("tick", tick(tick))).build();
	}

	private static AttributeValue tick(int number) {
		return AttributeValue.fromN(Integer.toString(number));
	}

}

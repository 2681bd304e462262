/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.faults.checker.HistoryOf.ONE;
import static io.github.dynamodblock.faults.checker.HistoryOf.OTHER;
import static io.github.dynamodblock.faults.checker.HistoryOf.THIRD;
import static io.github.dynamodblock.faults.checker.HistoryOf.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class CheckerTests {

	@Test
	void nothingIsWrongWhenOneHoldsAfterTheOther() {
		assertThat(new HistoryOf().grant("a", ONE, 5L, 1)
			.look("a", 1)
			.look("a", 2)
			.released("a", 2.1)
			.grant("b", OTHER, 6L, 2.2)
			.look("b", 2.2)
			.look("b", 3)
			.findings()).isEmpty();
	}

	@Test
	void twoThatHoldAtOneMomentAreFound() {
		assertThat(overlap().findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.TWO_HOLDERS, null));
	}

	@Test
	void aSingleLookWithinAnothersHoldIsFound() {
		assertThat(new HistoryOf().grant("a", ONE, 5L, 1)
			.look("a", 1)
			.look("a", 9)
			.grant("b", OTHER, 6L, 4)
			.look("b", 4)
			.findings()).extracting(Finding::rule, Finding::anomaly).containsExactly(tuple(Rule.TWO_HOLDERS, null));
	}

	@Test
	void aLookInWhichTheProcessStoodStillProvesNothing() {
		// The process was stopped after it had read its clock, and answered at 9.
		assertThat(new HistoryOf().grant("a", ONE, 5L, 1)
			.look("a", 1)
			.look("a", 2, 9)
			.grant("b", OTHER, 6L, 4)
			.look("b", 4)
			.look("b", 5)
			.findings()).isEmpty();
	}

	@Test
	void theDeletionOfTheItemAllowsTwoHolders() {
		assertThat(overlap().deleted(3, 3.1).findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.TWO_HOLDERS, AllowedAnomaly.ITEM_DELETED));
	}

	@Test
	void aDeletionLongBeforeAllowsNothing() {
		assertThat(overlap().deleted(-9, -8).findings()).extracting(Finding::anomaly).containsOnlyNulls();
	}

	@Test
	void aWildClockAllowsTwoHolders() {
		HistoryOf overlap = overlap();
		overlap.history().wildClock(OTHER);
		assertThat(overlap.findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.TWO_HOLDERS, AllowedAnomaly.CLOCK_RATE));
	}

	@Test
	void aWildClockInBetweenAllowsTwoHolders() {
		HistoryOf overlap = overlap(8).grant("w", THIRD, 6L, 2).grant("x", OTHER, 7L, 3);
		assertThat(overlap.findings()).extracting(Finding::anomaly).containsOnlyNulls();
		overlap.history().wildClock(THIRD);
		assertThat(overlap.findings()).extracting(Finding::anomaly).containsExactly(AllowedAnomaly.CLOCK_RATE);
	}

	@Test
	void aWildClockAllowsATokenInBetweenOnlyIfItIsShownToBeItsOwners() {
		HistoryOf unknown = overlap(7);
		unknown.history().wildClock(THIRD);
		assertThat(unknown.findings()).extracting(Finding::anomaly).containsOnlyNulls();
		unknown.history().applied(HistoryOf.LOCK, 8, THIRD);
		unknown.history().applied(HistoryOf.LOCK, 4, THIRD);
		unknown.history().applied(HistoryOf.LOCK + 1, 6, THIRD);
		assertThat(unknown.findings()).extracting(Finding::anomaly).containsOnlyNulls();
		unknown.history().applied(HistoryOf.LOCK, 6, THIRD);
		assertThat(unknown.findings()).extracting(Finding::anomaly).containsExactly(AllowedAnomaly.CLOCK_RATE);
	}

	@Test
	void aLockMayBeLostToAClaimThatNobodyReportedIfItsClockIsWild() {
		HistoryOf lost = new HistoryOf().grant("a", ONE, 5L, 1).lost("a", "STOLEN", 2, 3);
		lost.history().wildClock(THIRD);
		lost.history().applied(HistoryOf.LOCK, 38, THIRD);
		assertThat(lost.findings()).extracting(Finding::anomaly).containsOnlyNulls();
		lost.history().applied(HistoryOf.LOCK, 37, THIRD);
		assertThat(lost.findings()).extracting(Finding::anomaly).containsExactly(AllowedAnomaly.CLOCK_RATE);
	}

	@Test
	void holdsWithAnAllowedAnomalyAreCounted() {
		HistoryOf history = new HistoryOf().grant("a", ONE, 5L, 1)
			.grant("b", OTHER, 8L, 4)
			.grant("c", ONE, 9L, 8)
			.grant("d", OTHER, 10L, 20)
			.deleted(3.5, 3.6);
		assertThat(AnomalousHolds.of(history.history())).isEqualTo(new AnomalousHolds(4, 1, 0));
		history.history().wildClock(THIRD);
		history.history().applied(HistoryOf.LOCK, 6, THIRD);
		assertThat(AnomalousHolds.of(history.history())).isEqualTo(new AnomalousHolds(4, 1, 1));
		history.history().applied(HistoryOf.LOCK, 11, THIRD);
		assertThat(AnomalousHolds.of(history.history())).isEqualTo(new AnomalousHolds(4, 1, 2));
		assertThat(AnomalousHolds.of(history.history()).strict()).isOne();
		assertThat(history.history().unreportedClaims()).isEqualTo(2);
	}

	@Test
	void theStoryOfALockIsToldInTheOrderOfTime() {
		HistoryOf overlap = overlap().deleted(3, 3.5).released("b", 6.5).lost("a", "EXPIRED", 5.5, 5.25);
		assertThat(LockStory.of(overlap.history(), HistoryOf.LOCK, 0)).containsExactly(
				"1.000 s  a was granted token 5, requested at 0.000 s; lease 2.000 s",
				"3.000 s  the item was deleted, until 3.500 s",
				"4.000 s  b was granted token 6, requested at 3.000 s; lease 2.000 s",
				"5.000 s  a still held it, since at least 1.001 s",
				"5.500 s  a was notified of the loss, EXPIRED; deadline 5.250 s",
				"6.000 s  b still held it, since at least 4.001 s",
				"6.500 s  b had released it, RELEASED, from 6.500 s");
	}

	@Test
	void aLaterHolderWithASmallerTokenIsFound() {
		assertThat(oneAfterTheOther(6, 5, false).findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.TOKEN_ORDER, null));
	}

	@Test
	void aTokenMayBeSmallerOnceTheItemWasDeleted() {
		assertThat(oneAfterTheOther(6, 5, true).findings()).extracting(Finding::anomaly)
			.containsExactly(AllowedAnomaly.ITEM_DELETED);
		assertThat(oneAfterTheOther(6, 5, false).deleted(2.1, 2.2).findings()).extracting(Finding::anomaly)
			.containsExactly(AllowedAnomaly.ITEM_DELETED);
	}

	@Test
	void aTokenGivenTwiceIsFoundAlthoughTheItemWasDeleted() {
		assertThat(oneAfterTheOther(5, 5, true).findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.TOKEN_REPEATED, null));
	}

	@Test
	void anUpdateLostBetweenTwoWhoHeldTheLockIsFound() {
		assertThat(overlap().plainUpdate("b", 4.1, 4.5, 0, 0).plainUpdate("a", 2, 4.6, 0, 1).findings())
			.extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.TWO_HOLDERS, null), tuple(Rule.PLAIN_UPDATE, null));
	}

	@Test
	void anUpdateLostToAWriterWhoDidNotHoldTheLockAnyMoreIsAllowed() {
		assertThat(new HistoryOf().grant("a", ONE, 5L, 1)
			.look("a", 1)
			.grant("b", OTHER, 6L, 4)
			.look("b", 4)
			.plainUpdate("b", 4.1, 4.5, 0, 0)
			.look("b", 5)
			.plainUpdate("a", 1.1, 4.6, 0, 1)
			.findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.PLAIN_UPDATE, AllowedAnomaly.OUTDATED_CHECK));
	}

	@Test
	void anUpdateThatAStaleWriterSpoiltForTheHolderIsAllowed() {
		assertThat(new HistoryOf().grant("a", ONE, 5L, 1)
			.look("a", 1)
			.grant("b", OTHER, 6L, 4)
			.look("b", 4)
			.plainUpdate("a", 1.1, 4.2, 0, 0)
			.plainUpdate("b", 4.1, 4.5, 0, 1)
			.look("b", 5)
			.findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.PLAIN_UPDATE, AllowedAnomaly.OUTDATED_CHECK));
	}

	@Test
	void aLossThatIsToldTwiceIsFound() {
		assertThat(
				new HistoryOf().grant("a", ONE, 5L, 1).lost("a", "EXPIRED", 3, 3).lost("a", "STOLEN", 4, 3).findings())
			.extracting(Finding::rule)
			.containsExactly(Rule.LOSS_TOLD_ONCE);
	}

	@Test
	void aLossThatIsToldOfAReleasedLockIsFound() {
		assertThat(new HistoryOf().grant("a", ONE, 5L, 1).released("a", 2).lost("a", "EXPIRED", 3, 3).findings())
			.extracting(Finding::rule)
			.containsExactly(Rule.LOSS_TOLD_ONCE);
	}

	@Test
	void aLossThatIsNeverToldIsFoundUnlessTheProcessDied() {
		HistoryOf never = new HistoryOf().grant("a", ONE, 5L, 1);
		never.history().lossSeen("a", seconds(2));
		assertThat(never.findings()).extracting(Finding::rule).containsExactly(Rule.LOSS_TOLD_ONCE);
		never.history().died(ONE, seconds(3));
		assertThat(never.findings()).isEmpty();
	}

	@Test
	void aLockThatIsLostToAnotherBeforeItsLeaseHasEndedIsFound() {
		HistoryOf lost = new HistoryOf().grant("a", ONE, 5L, 1).lost("a", "STOLEN", 2, 3);
		assertThat(lost.findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.LOSS_WITHOUT_CAUSE, null));
		assertThat(lost.deleted(1.5, 1.6).findings()).extracting(Finding::anomaly)
			.containsExactly(AllowedAnomaly.ITEM_DELETED);
	}

	@Test
	void aLockMayBeLostToAClockThatIsWild() {
		HistoryOf lost = new HistoryOf().grant("a", ONE, 5L, 1).grant("b", OTHER, 6L, 1.8).lost("a", "STOLEN", 2, 3);
		lost.history().wildClock(OTHER);
		assertThat(lost.findings()).extracting(Finding::anomaly).containsExactly(AllowedAnomaly.CLOCK_RATE);
	}

	@Test
	void aLockMayBeLostToAnotherOnceItsLeaseHasEnded() {
		assertThat(new HistoryOf().grant("a", ONE, 5L, 1).lost("a", "STOLEN", 3.1, 3).findings()).isEmpty();
	}

	@Test
	void whatIsFoundOnTheWayIsAViolation() {
		History history = new History();
		history.found(Rule.PROGRESS, "lock 3 stands still");
		assertThat(Checker.check(history)).singleElement()
			.satisfies((finding) -> assertThat(finding.isViolation()).isTrue())
			.hasToString("no progress after the faults: lock 3 stands still");
	}

	private static HistoryOf overlap() {
		return overlap(6);
	}

	private static HistoryOf overlap(long token) {
		return new HistoryOf().grant("a", ONE, 5L, 1)
			.look("a", 1)
			.look("a", 5)
			.grant("b", OTHER, token, 4)
			.look("b", 4)
			.look("b", 6);
	}

	private static HistoryOf oneAfterTheOther(long token, long next, boolean deletesItem) {
		return new HistoryOf().grant("a", ONE, token, 1, deletesItem)
			.look("a", 1)
			.look("a", 2)
			.grant("b", OTHER, next, 4, deletesItem)
			.look("b", 4)
			.look("b", 5);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.acquire;

import io.github.dynamodblock.protocol.Given;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.KEY;
import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class FairnessBackoffTests {

	private final FairnessBackoff turns = new FairnessBackoff(10);

	private long token;

	private long millis;

	private long pause;

	@Test
	void backsOffAfterEightGrantsInARow() {
		assertThat(grantsUntilBackingOff()).isEqualTo(8);
	}

	@Test
	void theStreakDoublesUntilItTakesTwoSecondsWhileNoOtherClientTakesTheLock() {
		assertThat(grantsUntilBackingOff(10)).isEqualTo(8);
		assertThat(grantsUntilBackingOff(10)).isEqualTo(16);
		assertThat(grantsUntilBackingOff(10)).isEqualTo(32);
		assertThat(grantsUntilBackingOff(10)).isEqualTo(64);
		assertThat(grantsUntilBackingOff(10)).isEqualTo(128);
		assertThat(grantsUntilBackingOff(10)).isEqualTo(201);
		assertThat(grantsUntilBackingOff(10)).isEqualTo(201);
	}

	@Test
	void aLoopOfShortGrantsPausesForASmallPartOfItsTime() {
		long before = this.millis;
		long paused = 0;
		while (this.millis - before < 60_000) {
			grantsUntilBackingOff(5);
			paused += this.pause;
		}
		assertThat(paused / 1e6).isLessThan(0.05 * (this.millis - before));
	}

	@Test
	void eightLongGrantsInARowAreAStreakHoweverLongTheyTake() {
		assertThat(grantsUntilBackingOff(10)).isEqualTo(8);
		assertThat(grantsUntilBackingOff(10)).isEqualTo(16);
		assertThat(grantsUntilBackingOff(1_000)).isEqualTo(8);
		assertThat(grantsUntilBackingOff(10_000)).isEqualTo(8);
	}

	@Test
	void aStreakThatBecomesSlowEndsAfterTwoSeconds() {
		for (int i = 0; i < 6; i++) {
			grantsUntilBackingOff(1);
		}
		assertThat(grantsUntilBackingOff(1)).isEqualTo(512);
		assertThat(grantsUntilBackingOff(100)).isEqualTo(21);
	}

	@Test
	void theStreakIsShortAgainOnceAnotherClientTookTheLock() {
		grantsUntilBackingOff();
		grantsUntilBackingOff();
		this.token++;
		assertThat(grantsUntilBackingOff()).isEqualTo(8);
	}

	@Test
	void backsOffWhereTokensShowNothingSinceItemsAreDeleted() {
		for (int i = 0; i < 8; i++) {
			assertThat(this.turns.backOffNanos(KEY, at(i), Long.MAX_VALUE)).isZero();
			this.token += 1000;
			this.turns.granted(KEY, this.token, true, at(i));
			this.turns.released(KEY, at(i));
		}
		assertThat(this.turns.backOffNanos(KEY, at(8), Long.MAX_VALUE)).isPositive();
	}

	@Test
	void aGrantAfterOthersHadTheirTurnBeginsAnewWhereItemsAreDeleted() {
		for (int i = 0; i < 20; i++) {
			this.token += 1000;
			this.turns.granted(KEY, this.token, true, at(i * 100L));
			this.turns.released(KEY, at(i * 100L));
		}
		assertThat(this.turns.backOffNanos(KEY, at(1901), Long.MAX_VALUE)).isZero();
	}

	@Test
	void backsOffForLongerThanOthersPauseBetweenTwoPolls() {
		for (int i = 0; i < 8; i++) {
			this.turns.granted(KEY, ++this.token, false, at(0));
			this.turns.released(KEY, at(0));
		}
		assertThat(this.turns.backOffNanos(KEY, at(0), Long.MAX_VALUE))
			.isGreaterThan((long) (Observation.FIRST_POLL_INTERVAL * 1.2));
	}

	@Test
	void backsOffTheLongerTheLongerOthersPauseBetweenTwoPolls() {
		assertThat(pauseAfterHolding(10)).isEqualTo(pauseAfterHolding(1000));
		Observation heldForFiveSeconds = new Observation(Given.theirs("a"), 0, 0, at(5000).observerNanos());
		assertThat(pauseAfterHolding(5000))
			.isGreaterThan(heldForFiveSeconds.nextPoll(0.9999999, null) - heldForFiveSeconds.lastSeen());
		assertThat(pauseAfterHolding(60_000)).isBetween(600_000_000L, 610_000_000L);
		assertThat(pauseAfterHolding(3_600_000)).isEqualTo(pauseAfterHolding(60_000));
	}

	@Test
	void aPauseOfItsOwnIsATurnForOthersToo() {
		for (int i = 0; i < 100; i++) {
			this.turns.granted(KEY, ++this.token, false, at(i * 1000L));
			this.turns.released(KEY, at(i * 1000L));
			assertThat(this.turns.backOffNanos(KEY, at(i * 1000L + 999), Long.MAX_VALUE)).isZero();
		}
	}

	@Test
	void aLockThatWasNeverReleasedNeedsNoPause() {
		assertThat(this.turns.backOffNanos(KEY, at(0), Long.MAX_VALUE)).isZero();
		this.turns.granted(KEY, 1, false, at(0));
		assertThat(this.turns.backOffNanos(KEY, at(0), Long.MAX_VALUE)).isZero();
	}

	@Test
	void aCallerWithoutTheTimeForItDoesNotBackOffAndTheStreakContinues() {
		for (int i = 0; i < 8; i++) {
			this.turns.granted(KEY, ++this.token, false, at(0));
			this.turns.released(KEY, at(0));
		}
		assertThat(this.turns.backOffNanos(KEY, at(0), Observation.FIRST_POLL_INTERVAL)).isZero();
		assertThat(this.turns.backOffNanos(KEY, at(0), Long.MAX_VALUE)).isPositive();
	}

	private long pauseAfterHolding(long millis) {
		this.token++;
		for (int i = 0; i < 8; i++) {
			this.turns.granted(KEY, ++this.token, false, at(0));
			this.turns.released(KEY, at(millis));
		}
		return this.turns.backOffNanos(KEY, at(millis), Long.MAX_VALUE);
	}

	private int grantsUntilBackingOff() {
		return grantsUntilBackingOff(0);
	}

	/** Each grant comes so many milliseconds after the one before. */
	private int grantsUntilBackingOff(long apart) {
		int grants = 0;
		do {
			this.turns.granted(KEY, ++this.token, false, at(this.millis));
			this.turns.released(KEY, at(this.millis));
			grants++;
			this.pause = this.turns.backOffNanos(KEY, at(this.millis), Long.MAX_VALUE);
			this.millis += apart;
		}
		while (grants < 10_000 && this.pause == 0);
		return grants;
	}

}

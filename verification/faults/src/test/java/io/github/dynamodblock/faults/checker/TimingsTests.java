/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.faults.checker.HistoryOf.ONE;
import static io.github.dynamodblock.faults.checker.HistoryOf.OTHER;
import static io.github.dynamodblock.faults.checker.HistoryOf.seconds;
import static org.assertj.core.api.Assertions.assertThat;

class TimingsTests {

	@Test
	void takeoverCountsFromTheDeathOfTheHolder() {
		Timings timings = Timings.of(killedAt2().grant("b", OTHER, 6L, 5).history());
		assertThat(timings.takeovers()).containsExactly(3.0);
		assertThat(timings.takeoversInLeases()).containsExactly(1.5);
		assertThat(timings.waits()).containsExactly(1.0);
	}

	@Test
	void lockThatWasReleasedBeforeTheDeathIsNotTakenOver() {
		assertThat(Timings.of(killedAt2().released("a", 1.9).grant("b", OTHER, 6L, 5).history()).takeovers()).isEmpty();
	}

	@Test
	void lockWhoseItemWasDeletedIsNotTakenOver() {
		assertThat(Timings.of(killedAt2().deleted(3, 3).grant("b", OTHER, 6L, 5).history()).takeovers()).isEmpty();
	}

	@Test
	void expirationCountsFromTheDeadlineOrFromWhenTheProcessWasContinued() {
		HistoryOf history = new HistoryOf().grant("a", ONE, 5L, 1).lost("a", "EXPIRED", 3.5, 3);
		assertThat(Timings.of(history.history()).expirations()).containsExactly(0.5);
		history.history().paused(ONE, new Interval(seconds(2), seconds(3.25)));
		assertThat(Timings.of(history.history()).expirations()).containsExactly(0.25);
	}

	@Test
	void lossOfADeletedItemCountsFromTheDeletion() {
		Timings timings = Timings
			.of(new HistoryOf().grant("a", ONE, 5L, 1).deleted(2, 2.1).lost("a", "ITEM_MISSING", 2.5, 3).history());
		assertThat(timings.deletions()).containsExactly(0.5);
		assertThat(timings.reasons()).containsEntry("ITEM_MISSING", 1);
	}

	private static HistoryOf killedAt2() {
		HistoryOf history = new HistoryOf().grant("a", ONE, 5L, 1).look("a", 1);
		history.history().died(ONE, seconds(2));
		return history;
	}

}

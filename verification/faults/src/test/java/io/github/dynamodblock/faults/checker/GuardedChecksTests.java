/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.faults.checker.GuardedWrite.Outcome;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.faults.checker.HistoryOf.LOCK;
import static io.github.dynamodblock.faults.checker.HistoryOf.ONE;
import static io.github.dynamodblock.faults.checker.HistoryOf.OTHER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Histories of the guarded counter, each with one violation at most.
 */
class GuardedChecksTests {

	private final HistoryOf history = new HistoryOf();

	private final List<CommittedUpdate> updates = new ArrayList<>();

	@Test
	void nothingIsFoundWhenOneOwnerWritesAfterTheOther() {
		this.history.grant("a", ONE, 5L, 1).grant("b", OTHER, 6L, 1.5);
		commit("a.a", "a", 0);
		commit("a.b", "a", 1);
		commit("b.a", "b", 2);
		assertThat(findings()).isEmpty();
	}

	@Test
	void anUpdateAfterThatOfAnOwnerInBetweenIsStale() {
		commit("a.a", "a", 0);
		commit("b.a", "b", 1);
		commit("a.b", "a", 2);
		assertThat(findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.STALE_COMMIT, null));
	}

	@Test
	void anUpdateAfterThatOfAnOwnerWhoRequestedTheLockLaterIsStale() {
		this.history.grant("a", ONE, null, 1).grant("b", OTHER, null, 3);
		commit("b.a", "b", 0);
		commit("a.a", "a", 1);
		assertThat(findings()).extracting(Finding::rule).containsExactly(Rule.STALE_COMMIT);
	}

	@Test
	void anUpdateAfterThatOfAnOwnerWithAGreaterTokenIsStale() {
		this.history.grant("a", ONE, 5L, 1).grant("b", OTHER, 6L, 1.5);
		commit("b.a", "b", 0);
		commit("a.a", "a", 1);
		assertThat(findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.STALE_COMMIT, null));
	}

	@Test
	void tokensDoNotShowTheOrderOnceTheItemWasDeleted() {
		this.history.grant("a", ONE, 5L, 1).grant("b", OTHER, 6L, 1.5).deleted(1.2, 1.3);
		commit("b.a", "b", 0);
		commit("a.a", "a", 1);
		assertThat(findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.STALE_COMMIT, AllowedAnomaly.ITEM_DELETED));
	}

	@Test
	void aDeletedItemDoesNotAllowAnUpdateAfterThatOfAnOwnerInBetween() {
		this.history.grant("a", ONE, 5L, 1).grant("b", OTHER, 6L, 1.5).deleted(1.2, 1.3);
		commit("a.a", "a", 0);
		commit("b.a", "b", 1);
		commit("a.b", "a", 2);
		assertThat(findings()).extracting(Finding::anomaly).containsOnlyNulls();
	}

	@Test
	void anUpdateThatWasOverwrittenIsLost() {
		commit("a.a", "a", 0);
		commit("b.a", "b", 0);
		assertThat(findings()).extracting(Finding::rule).containsExactly(Rule.GUARDED_UPDATE_LOST);
	}

	@Test
	void anUpdateThatVanishedIsLostOnce() {
		commit("a.a", "a", 0);
		commit("c.a", "c", 2);
		commit("c.b", "c", 3);
		assertThat(findings()).extracting(Finding::rule).containsExactly(Rule.GUARDED_UPDATE_LOST);
	}

	@Test
	void anAcknowledgedUpdateThatIsNotThereIsLost() {
		write("a.a", "a", Outcome.ACKNOWLEDGED);
		write("b.a", "b", Outcome.UNKNOWN);
		assertThat(findings()).extracting(Finding::rule).containsExactly(Rule.GUARDED_UPDATE_LOST);
	}

	@Test
	void nothingIsKnownOfACounterThatWasNotRead() {
		write("a.a", "a", Outcome.ACKNOWLEDGED);
		assertThat(this.history.findings()).isEmpty();
	}

	@Test
	void anUpdateThatWasCommittedTwiceIsDoubled() {
		commit("a.a", "a", 0);
		commit("a.a", "a", 1);
		assertThat(findings()).extracting(Finding::rule).containsExactly(Rule.GUARDED_UPDATE_DOUBLED);
	}

	@Test
	void aRefusedUpdateThatWasCommittedIsFound() {
		write("a.a", "a", Outcome.REFUSED);
		commit("a.a", "a", 0);
		assertThat(findings()).extracting(Finding::rule).containsExactly(Rule.REFUSED_UPDATE_COMMITTED);
	}

	@Test
	void anUpdateOfUnknownOutcomeMayBeCommittedOnce() {
		write("a.a", "a", Outcome.UNKNOWN);
		commit("a.a", "a", 0);
		assertThat(findings()).isEmpty();
		assertThat(this.history.history().guardedWrites(Outcome.UNKNOWN)).isOne();
		assertThat(this.history.history().committedCount()).isOne();
	}

	@Test
	void updatesWithoutAGuardAreCountedAsAllowed() {
		for (String update : List.of("a.a", "b.a", "a.b")) {
			this.history.history()
				.guardedWrite(new GuardedWrite(update, update.substring(0, 1), LOCK, Outcome.ACKNOWLEDGED, false));
		}
		commit("a.a", "a", 0);
		commit("b.a", "b", 1);
		commit("a.b", "a", 1);
		assertThat(findings()).extracting(Finding::rule, Finding::anomaly)
			.containsExactly(tuple(Rule.STALE_COMMIT, AllowedAnomaly.UNGUARDED),
					tuple(Rule.GUARDED_UPDATE_LOST, AllowedAnomaly.UNGUARDED));
	}

	private void write(String update, String grant, Outcome outcome) {
		this.history.history().guardedWrite(new GuardedWrite(update, grant, LOCK, outcome, true));
	}

	private void commit(String update, String grant, long read) {
		this.updates.add(new CommittedUpdate(update, grant, read));
	}

	private List<Finding> findings() {
		this.history.history().committed(LOCK, this.updates);
		return this.history.findings();
	}

}

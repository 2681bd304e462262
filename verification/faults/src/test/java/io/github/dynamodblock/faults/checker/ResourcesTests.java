/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class ResourcesTests {

	private final History history = new History();

	private final Resources resources = new Resources(4, this.history, new AtomicLong()::incrementAndGet);

	@Test
	void writeOfAnEarlierOwnerIsRefusedOnceALaterOneHasClaimed() {
		assertThat(this.resources.claim(3, 5)).isTrue();
		RemoteResources.Values read = this.resources.read(3);
		assertThat(this.resources.claim(3, 6)).isTrue();
		assertThat(this.resources.claim(3, 5)).isFalse();
		assertThat(this.resources.increment(3, "old", 5L, false, read, false)).isFalse();
		assertThat(this.resources.increment(3, "new", 6L, false, this.resources.read(3), false)).isTrue();
		assertThat(this.resources.read(3).fenced()).isEqualTo(1);
		assertThat(Checker.check(this.history)).isEmpty();
		assertThat(this.history.counts()).containsEntry("fenced writes refused", 1L);
	}

	@Test
	void updateLostByTwoOwnersWithOneTokenIsFound() {
		RemoteResources.Values read = this.resources.read(3);
		this.resources.increment(3, "a", 1L, false, read, false);
		this.resources.increment(3, "b", 1L, false, read, false);
		assertThat(Checker.check(this.history)).extracting(Finding::rule, Finding::isViolation)
			.containsExactly(tuple(Rule.FENCED_UPDATE, true));
	}

	@Test
	void resourceThatTakesAStaleTokenIsFound() {
		this.history.fencedUpdate(3, 6, new Update("new", 1, 2, 0, 0, false));
		this.history.fencedUpdate(3, 5, new Update("old", 3, 4, 1, 1, false));
		assertThat(Checker.check(this.history)).extracting(Finding::rule).containsExactly(Rule.STALE_TOKEN_ACCEPTED);
	}

	@Test
	void plainWriteOverwritesWhatItHasNotRead() {
		RemoteResources.Values read = this.resources.read(3);
		this.resources.increment(3, "a", null, true, read, false);
		this.resources.increment(3, "b", null, true, read, false);
		assertThat(this.resources.read(3).plain()).isEqualTo(1);
		assertThat(Checker.check(this.history)).extracting(Finding::rule).containsExactly(Rule.PLAIN_UPDATE);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.checker;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class ResourceTests {

	private final History history = new History();

	private final Resource resource = new Resource(3, this.history, new AtomicLong()::incrementAndGet);

	@Test
	void writeOfAnEarlierOwnerIsRefusedOnceALaterOneHasClaimed() {
		assertThat(this.resource.claim(5)).isTrue();
		Resource.Values read = this.resource.read();
		assertThat(this.resource.claim(6)).isTrue();
		assertThat(this.resource.claim(5)).isFalse();
		assertThat(this.resource.incrementFenced("old", 5, read)).isFalse();
		assertThat(this.resource.incrementFenced("new", 6, this.resource.read())).isTrue();
		assertThat(this.resource.read().fenced()).isEqualTo(1);
		assertThat(Checker.check(this.history)).isEmpty();
		assertThat(this.history.counts()).containsEntry("fenced writes refused", 1L);
	}

	@Test
	void updateLostByTwoOwnersWithOneTokenIsFound() {
		Resource.Values read = this.resource.read();
		this.resource.incrementFenced("a", 1, read);
		this.resource.incrementFenced("b", 1, read);
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
		Resource.Values read = this.resource.read();
		this.resource.incrementPlain("a", read, false);
		this.resource.incrementPlain("b", read, false);
		assertThat(this.resource.read().plain()).isEqualTo(1);
		assertThat(Checker.check(this.history)).extracting(Finding::rule).containsExactly(Rule.PLAIN_UPDATE);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.nemesis;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.dynamodblock.faults.network.LinkState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class NemesisTests {

	@Test
	void deckDealsEveryKindBeforeAnyComesTooOften() {
		Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
		int size = kinds.stream().mapToInt(FaultKind::weight).sum();
		Deck deck = new Deck(kinds, new Random(1));
		List<FaultKind> dealt = Stream.generate(deck::next).limit(size).toList();
		kinds.forEach((kind) -> assertThat(dealt).filteredOn(kind::equals).hasSize(kind.weight()));
	}

	@Test
	void deckOfNothingIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Deck(Set.of(FaultKind.CLOCK_RATE), new Random(1)))
			.withMessageContaining("at least one must have a weight");
	}

	@Test
	void whenItIsOverEveryLinkIsFineAgain() throws InterruptedException {
		Recorder recorder = new Recorder();
		Nemesis nemesis = new Nemesis(recorder, EnumSet.of(FaultKind.CUT, FaultKind.KILL, FaultKind.DELETED_ITEM),
				Duration.ofMillis(20), 1);
		// One deal has all kinds, and a place is taken only by the same kind.
		nemesis.run(10);
		assertThat(recorder.links.values()).isNotEmpty().containsOnly(LinkState.FINE);
		assertThat(nemesis.failures()).isEmpty();
		assertThat(nemesis.faults()).extracting(Fault::kind)
			.contains(FaultKind.CUT, FaultKind.KILL, FaultKind.DELETED_ITEM);
	}

	@Test
	void whatTheNemesisCannotDoIsTold() throws InterruptedException {
		Nemesis nemesis = new Nemesis(new Recorder() {
			@Override
			public void deleteItem(int lock) {
				throw new IllegalStateException("no table");
			}
		}, Set.of(FaultKind.DELETED_ITEM), Duration.ofMillis(100), 1);
		nemesis.run(1);
		assertThat(nemesis.failures()).isNotEmpty().allMatch((failure) -> failure.contains("no table"));
	}

	@Test
	void nothingGoesWrongOnceItIsEnough() throws InterruptedException {
		Nemesis nemesis = new Nemesis(new Recorder(), Set.of(FaultKind.DELETED_ITEM), Duration.ofMillis(1), 1);
		nemesis.run(Duration.ofHours(1), () -> !nemesis.faults().isEmpty());
		assertThat(nemesis.faults()).isNotEmpty();
	}

	private static class Recorder implements Target {

		private final Map<Integer, LinkState> links = new ConcurrentHashMap<>();

		@Override
		public int nodes() {
			return 3;
		}

		@Override
		public int locks() {
			return 4;
		}

		@Override
		public void kill(int node, Duration absence) {
		}

		@Override
		public void pause(int node, Duration time) {
		}

		@Override
		public void link(int node, LinkState state) {
			this.links.put(node, state);
		}

		@Override
		public void deleteItem(int lock) {
		}

		@Override
		public void recreateTable(Duration absence) {
		}

		@Override
		public void restartDatabase() {
		}

		@Override
		public void pauseDatabase(Duration time) {
		}

	}

}

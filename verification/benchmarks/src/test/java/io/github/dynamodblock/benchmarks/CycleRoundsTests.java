/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class CycleRoundsTests {

	private static final int BYTES = 200_000;

	private static final CallMeter METER = new CallMeter();

	@Test
	void theClientsTakeTurnsAndTheFirstChangesWithEachRound() throws Exception {
		List<String> turns = Collections.synchronizedList(new ArrayList<>());
		List<CycleClient> clients = List.of(client("a", turns), client("b", turns));
		try (CycleRounds rounds = new CycleRounds(1, clients, METER)) {
			List<CycleUsage> usages = rounds.run(2, 1);
			assertThat(turns).containsExactly("a 0", "b 0", "b 0", "a 0");
			assertThat(usages.get(0).turns()).isEqualTo(2);
			assertThat(usages.get(0).perSecond()).isPositive();
		}
	}

	@Test
	void theCyclesOfATurnAreSharedByTheThreads() throws Exception {
		List<String> turns = Collections.synchronizedList(new ArrayList<>());
		try (CycleRounds rounds = new CycleRounds(2, List.of(client("a", turns)), METER)) {
			rounds.run(1, 6);
		}
		assertThat(turns).containsExactlyInAnyOrder("a 0", "a 0", "a 0", "a 1", "a 1", "a 1");
	}

	@Test
	void whatTheThreadsOfATurnAllocateIsCountedForEachCycle() throws Exception {
		List<Object> allocated = Collections.synchronizedList(new ArrayList<>());
		CycleClient client = new CycleClient("allocates", (worker) -> allocated.add(new byte[BYTES]));
		try (CycleRounds rounds = new CycleRounds(2, List.of(client), METER)) {
			CycleUsage usage = rounds.run(1, 20).get(0);
			assertThat(usage.kilobytes()).isGreaterThan(BYTES / 1024.0);
		}
	}

	@Test
	void theClientThatFailsIsNamed() {
		CycleClient failing = new CycleClient("failing", (worker) -> {
			throw new IllegalArgumentException("no table");
		});
		try (CycleRounds rounds = new CycleRounds(2, List.of(failing), METER)) {
			assertThatIllegalStateException().isThrownBy(() -> rounds.run(1, 2))
				.withMessageContainingAll("failing", "no table");
		}
	}

	private static CycleClient client(String name, List<String> turns) {
		return new CycleClient(name, (worker) -> turns.add(name + " " + worker));
	}

}

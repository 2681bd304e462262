/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CycleClientsTests {

	@Test
	void eachClientCyclesAgainAndAgainWithTheCallsThatItIsKnownFor() throws Exception {
		try (DatabaseProcess database = DatabaseProcess.start();
				CycleClients clients = new CycleClients(database, 1, new AddedLatency());
				CycleRounds rounds = new CycleRounds(1, clients.all(), clients.meter())) {
			List<CycleUsage> usages = rounds.run(2, 3);
			assertThat(clients.all()).extracting(CycleClient::name)
				.containsExactly("bare SDK", "bare SDK, with time limits", "dynamodb-lock",
						"LockServiceCentral's calls", "ShedLock", "Spring's registry", "AWS lock client");
			assertThat(usages).extracting(CycleUsage::calls).containsExactly(2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0);
			double latency = AddedLatency.LATENCY.toMillis();
			assertThat(usages).allSatisfy((usage) -> assertThat(usage.millis()).isGreaterThan(2 * latency));
		}
	}

}

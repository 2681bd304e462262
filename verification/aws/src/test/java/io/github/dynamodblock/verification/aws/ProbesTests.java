/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProbesTests {

	private static final Path RECORDED = Path
		.of("src/main/resources/io/github/dynamodblock/verification/aws/local-probes.txt");

	@Test
	void resultsOfDynamoDbLocalAreTheRecordedOnes() throws IOException {
		RunContext context = LocalRun.context();
		Map<String, String> results;
		try {
			results = Probes.run(context);
		}
		finally {
			context.tables().delete(context.target().newClient(), Duration.ofSeconds(20));
		}
		// -Dreference.write=true records them.
		if (Boolean.getBoolean("reference.write")) {
			Files.writeString(RECORDED, Probes.format(results));
		}
		assertThat(Probes.format(results)).isEqualTo(Files.readString(RECORDED));
		assertThat(results).isEqualTo(Probes.parse(Probes.format(results))).hasSizeGreaterThan(25);
	}

	@Test
	void differencesAreListedAndFailOnlyOnTheRecordedVersion() {
		Map<String, String> local = Map.of("one", "a", "two", "b|c", "three", "d");
		Map<String, String> here = Map.of("one", "a", "two", "e", "four", "f");

		Outcome elsewhere = ProbesCheck.compare(local, here, false);
		assertThat(elsewhere.status()).isEqualTo(Outcome.Status.HELD);
		assertThat(elsewhere.summary()).startsWith("3 of 4 calls give other results");
		assertThat(elsewhere.details()).contains("| two | b\\|c | e |", "| three | d | not called |",
				"| four | not recorded | f |");
		assertThat(ProbesCheck.compare(local, here, true).status()).isEqualTo(Outcome.Status.FAILED);
		assertThat(ProbesCheck.compare(local, local, true).status()).isEqualTo(Outcome.Status.HELD);
	}

}

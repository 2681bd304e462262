/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.harness;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleTests {

	private static final Instant START = Instant.parse("2026-05-04T03:00:00Z");

	private final ByteArrayOutputStream output = new ByteArrayOutputStream();

	private final Console console = new Console(new PrintStream(this.output, true, StandardCharsets.UTF_8));

	@BeforeEach
	void beginTimeline() {
		this.console.beginTimeline("%-12s  %-6s  %-10s  %s", "time", "node", "what", "token");
		assertThat(lines()).containsExactly("time          node    what        token");
		this.output.reset();
	}

	@Test
	void linesThatArriveOutOfOrderArePrintedInTheOrderOfTime() {
		this.console.add(START.plusSeconds(2), "node-2", "second", 2);
		this.console.add(START.plusSeconds(1), "node-1", "first", 1);
		this.console.refresh(START.plusSeconds(3));

		assertThat(lines()).hasSize(2);
		assertThat(lines().get(0)).endsWith(":01.000  node-1  first       1");
		assertThat(lines().get(1)).endsWith(":02.000  node-2  second      2");
	}

	@Test
	void lineWaitsForThoseThatMayStillComeBeforeIt() {
		this.console.add(START, "node-1", "waits", "");
		this.console.refresh(START.plusMillis(100));

		assertThat(this.output.size()).isZero();
	}

	@Test
	void lastLineComesAfterAllThatWaited() {
		this.console.add(START, "node-1", "waits", "");
		this.console.say("OK");

		assertThat(lines()).hasSize(2).last().isEqualTo("OK");
	}

	private List<String> lines() {
		return this.output.toString(StandardCharsets.UTF_8).lines().toList();
	}

}

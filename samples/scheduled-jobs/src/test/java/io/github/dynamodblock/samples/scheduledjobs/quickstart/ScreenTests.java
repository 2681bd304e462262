/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.samples.scheduledjobs.quickstart.Sections.at;
import static org.assertj.core.api.Assertions.assertThat;

class ScreenTests {

	private final ByteArrayOutputStream output = new ByteArrayOutputStream();

	private final Screen screen = new Screen(new PrintStream(this.output, true, StandardCharsets.UTF_8));

	@Test
	void linesThatArriveOutOfOrderArePrintedInTheOrderOfTime() {
		this.screen.show(at(2), "node-2", "second", "account:alice", 2);
		this.screen.show(at(1), "node-1", "first", "account:alice", 1);
		this.screen.refresh(at(3));

		assertThat(lines()).hasSize(2);
		assertThat(lines().get(0)).contains("node-1", "first", "account:alice").endsWith(" 1");
		assertThat(lines().get(1)).contains("node-2", "second");
	}

	@Test
	void lineWaitsForThoseThatMayStillComeBeforeIt() {
		this.screen.show(at(2), "node-1", "waits");
		this.screen.refresh(at(2.1));

		assertThat(this.output.size()).isZero();
	}

	@Test
	void lastLineComesAfterAllThatWaited() {
		this.screen.show(at(2), "node-1", "waits");
		this.screen.say("OK");

		assertThat(lines()).hasSize(2).last().isEqualTo("OK");
	}

	private List<String> lines() {
		return this.output.toString(StandardCharsets.UTF_8).lines().toList();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunScriptTests {

	private static final int STATUS_USAGE = 2;

	@Test
	void optionOfTheDemoIsRefusedWhereNoDemoRuns() throws IOException, InterruptedException {
		assertRefused("--clients is for the demo, and --serve runs none", "--serve", "--clients", "5");
		assertRefused("--separate-tables is for the demo, and --serve runs none", "--separate-tables", "--serve");
	}

	@Test
	void portIsRefusedWhereADemoRuns() throws IOException, InterruptedException {
		assertRefused("--port is for --serve only", "--port", "8081");
	}

	@Test
	void requestsAreSentWithoutADemo() throws IOException, InterruptedException {
		assertRefused("--requests runs no demo", "--requests", "1000", "--clients", "5");
		assertRefused("--requests runs no demo", "--serve", "--requests", "1000");
		assertRefused("--requests needs a whole number from 1000 to 999999, not \"10\"", "--requests", "10");
	}

	@Test
	void strangersAttackWithoutADemo() throws IOException, InterruptedException {
		assertRefused("--strangers runs no demo", "--strangers", "--clients", "5");
		assertRefused("--strangers runs no demo", "--serve", "--strangers");
	}

	@Test
	void longerTimeThanTheDemoHasMemoryForIsRefused() throws IOException, InterruptedException {
		assertRefused("--seconds needs a whole number from 3 to 300, not \"301\"", "--seconds", "301");
	}

	@Test
	void optionsWithWhichNothingContendsAreRefused() throws IOException, InterruptedException {
		assertRefused("--clients needs a whole number from 2 to 500, not \"1\"", "--clients", "1");
		assertRefused("--locks needs a whole number from 1 to 1000, not \"0\"", "--locks", "0");
		assertRefused("--seconds needs a whole number from 3 to 300, not \"2\"", "--seconds", "2");
	}

	private static void assertRefused(String why, String... options) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of("bash", "run"));
		command.addAll(List.of(options));
		Process run = new ProcessBuilder(command).redirectErrorStream(true).start();
		run.getOutputStream().close();
		String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

		assertThat(run.waitFor()).isEqualTo(STATUS_USAGE);
		assertThat(output).startsWith(why);
	}

}

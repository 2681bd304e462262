/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RunScriptTests {

	private static final int STATUS_USAGE = 2;

	@Test
	void anUnknownTrialIsRefused() throws IOException, InterruptedException {
		assertRefused("There is no trial \"reboot\"", "--only", "kill,reboot");
		assertRefused("There is no trial \"none\"", "--only");
	}

	@Test
	void anUnknownLineOfSpringBootIsRefused() throws IOException, InterruptedException {
		assertRefused("--boot needs 4.0 or 4.1, not \"3.5\"", "--boot", "3.5");
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

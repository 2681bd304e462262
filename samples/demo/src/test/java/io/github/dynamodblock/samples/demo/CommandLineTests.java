/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.demo;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CommandLineTests {

	@Test
	void allOptionsAreRead() {
		CommandLine line = new CommandLine("--nodes", "4", "--keep-running", "--logs", "here");

		assertThat(line.text("--logs", "there")).isEqualTo("here");
		assertThat(line.number("--nodes", 3, 2, 9)).isEqualTo(4);
		assertThat(line.flag("--keep-running")).isTrue();
		line.requireAllRead();
	}

	@Test
	void absentOptionsHaveTheirUsualValues() {
		CommandLine line = new CommandLine();

		assertThat(line.text("--logs", "there")).isEqualTo("there");
		assertThat(line.number("--nodes", 3, 2, 9)).isEqualTo(3);
		assertThat(line.flag("--keep-running")).isFalse();
		line.requireAllRead();
	}

	@Test
	void unknownOptionIsRefused() {
		CommandLine line = new CommandLine("--node", "4");
		line.number("--nodes", 3, 2, 9);

		assertThatIllegalArgumentException().isThrownBy(line::requireAllRead).withMessage("Unknown option --node");
	}

	@Test
	void optionWithoutValueIsRefused() {
		assertNumberRefused("--nodes needs a value", "--nodes");
	}

	@Test
	void valueThatIsNoNumberIsRefused() {
		assertNumberRefused("--nodes is \"many\"; it must be a whole number", "--nodes", "many");
	}

	@Test
	void numberOutOfItsRangeIsRefused() {
		assertNumberRefused("--nodes is 1; it must be from 2 to 9", "--nodes", "1");
		assertNumberRefused("--nodes is 10; it must be from 2 to 9", "--nodes", "10");
	}

	private static void assertNumberRefused(String message, String... args) {
		assertThatIllegalArgumentException().isThrownBy(() -> new CommandLine(args).number("--nodes", 3, 2, 9))
			.withMessage(message);
	}

}

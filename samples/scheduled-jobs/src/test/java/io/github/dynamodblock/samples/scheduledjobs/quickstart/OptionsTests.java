/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.quickstart;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void allOptionsAreRead() {
		Options options = Options.parse("--nodes", "4", "--keep-running", "--logs", "here", "--duration", "60");

		assertThat(options).isEqualTo(new Options(Duration.ofSeconds(60), 4, true, Path.of("here")));
	}

	@Test
	void threeNodesRunUnlessSaidOtherwise() {
		assertThat(Options.parse().nodes()).isEqualTo(3);
		assertThat(Options.parse().keepRunning()).isFalse();
	}

	@Test
	void unknownOptionIsRefused() {
		assertRefused("Unknown option --node", "--node", "4");
	}

	@Test
	void optionWithoutValueIsRefused() {
		assertRefused("--nodes needs a value", "--nodes");
	}

	@Test
	void valueThatIsNoNumberIsRefused() {
		assertRefused("--duration is \"1m\"; it must be a whole number", "--duration", "1m");
	}

	@Test
	void oneNodeIsRefused() {
		assertRefused("--nodes is 1; it must be from 2 to 9", "--nodes", "1");
	}

	@Test
	void durationTooShortForTheTakeoversIsRefused() {
		assertRefused("--duration is 29; it must be at least 30", "--duration", "29");
	}

	private static void assertRefused(String message, String... args) {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(args)).withMessageContaining(message);
	}

}

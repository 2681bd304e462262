/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.leaderelection.trial;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OptionsTests {

	@Test
	void allOptionsAreRead() {
		assertThat(Options.parse("--logs", "here", "--separate-locks")).isEqualTo(new Options(true, Path.of("here")));
	}

	@Test
	void nodesShareOneLockUnlessSaidOtherwise() {
		assertThat(Options.parse().separateLocks()).isFalse();
	}

	@Test
	void unknownOptionIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--nodes"))
			.withMessage("Unknown option --nodes");
	}

	@Test
	void optionWithoutValueIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Options.parse("--logs"))
			.withMessage("--logs needs a value");
	}

}

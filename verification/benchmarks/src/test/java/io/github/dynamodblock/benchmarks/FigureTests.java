/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FigureTests {

	@Test
	void aLineSaysWhatWasMeasuredWhatIsAllowedAndWhetherItIsMet() {
		assertThat(new Figure("cycle calls", "2.00", "2", true).line()).isEqualTo("cycle calls: 2.00 (2) OK");
		assertThat(new Figure("cycle calls", "3.00", "2", false).line()).isEqualTo("cycle calls: 3.00 (2) MISSED");
	}

}

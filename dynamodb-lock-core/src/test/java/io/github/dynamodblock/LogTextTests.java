/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Durations and characters in messages. {@link ForgedLogLinesTests} covers log lines.
 */
class LogTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0 s", "PT0.25S, 250 ms", "PT-0.001S, -1 ms", "PT0.0000005S, 0.0005 ms", "PT1S, 1 s",
			"PT-1.5S, -1.5 s", "PT6.5S, 6.5 s", "PT10S, 10 s", "PT1.000000001S, 1.000000001 s", "PT1M, 60 s",
			"PT1M59S, 119 s", "PT2M, 2 min", "PT2M1S, 121 s", "PT1H, 60 min", "PT2H, 2 h", "PT25H, 25 h", "P2D, 2 days",
			"P365D, 365 days", "PT2562047788015215H30M7S, 9223372036854775807 s" })
	void aDurationIsPrintedExactlyWithAUnit(Duration duration, String printed) {
		assertThat(LogText.of(duration)).isEqualTo(printed);
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, 0 s", "PT0.25S, 250 ms", "PT0.2504S, 250 ms", "PT1.04S, 1 s", "PT12.345S, 12.3 s",
			"PT1M59.95S, 2 min", "PT2M29S, 2 min", "PT2M30S, 3 min", "PT5H, 5 h", "PT5H1S, 5 h" })
	void aMeasuredDurationIsRounded(Duration duration, String printed) {
		assertThat(LogText.rounded(duration)).isEqualTo(printed);
	}

	@Test
	void aFormatCharacterOfTwoUnitsIsEscaped() {
		assertThat(LogText.of("a\udb40\udc01b \ud83d\udd12")).isEqualTo("a\\udb40\\udc01b \ud83d\udd12");
	}

}

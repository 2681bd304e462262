/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ServiceTimeTests {

	private static final Instant EARLIEST = Instant.parse("2026-11-23T02:04:38Z");

	private static final ServiceTime TIME = new ServiceTime(EARLIEST, EARLIEST.plusMillis(1_200));

	@ParameterizedTest
	@CsvSource({ "PT0S, PT0S", "PT1.2S, PT0S", "PT0.6S, PT0S", "PT-0.001S, PT-0.001S", "PT-24H, PT-24H",
			"PT1.201S, PT0.001S", "PT31.2S, PT30S" })
	void aClockIsWrongByTheSmallestDifferenceThatIsPossible(Duration afterEarliest, Duration difference) {
		assertThat(TIME.differenceOf(EARLIEST.plus(afterEarliest))).isEqualTo(difference);
	}

	@ParameterizedTest
	@CsvSource({ "PT0S, true", "PT1.2S, true", "PT2.2S, true", "PT2.201S, false", "PT-1S, true", "PT-1.001S, false" })
	void aClockMayBeRightIfItIsWithinTheToleranceOfTheRange(Duration afterEarliest, boolean allowed) {
		assertThat(TIME.allows(EARLIEST.plus(afterEarliest), Duration.ofSeconds(1))).isEqualTo(allowed);
	}

	@Test
	void theUncertaintyIsTheTimeBetweenBoth() {
		assertThat(TIME.uncertainty()).isEqualTo(Duration.ofMillis(1_200));
	}

	@Test
	void anEndBeforeTheBeginningIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new ServiceTime(EARLIEST, EARLIEST.minusNanos(1)))
			.withMessageContaining("is before earliest");
	}

}

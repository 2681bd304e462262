/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

import io.github.dynamodblock.protocol.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CallLimitsTests {

	private long millis;

	private final CallLimits limits = new CallLimits(() -> this.millis * 1_000_000);

	@ParameterizedTest
	@ValueSource(longs = { 0, 1_234_500, -1_234_500, 9_000_000_000_000L })
	void theLongestLimitsOfCallsThatAreSentWithinATenthOfASecondEndTogether(long begin) {
		List<Long> ends = LongStream.range(begin, begin + 100).map(this::endOfLongestLimit).boxed().toList();
		assertThat(ends).containsOnly(begin + 5_000);
	}

	@Test
	void theLongestLimitIsShortenedByLessThanATenthOfASecond() {
		LongStream.range(0, 250).forEach((time) -> {
			this.millis = time;
			assertThat(longestLimit()).isBetween(Duration.ofMillis(4_901), Duration.ofMillis(5_000));
		});
	}

	@Test
	void anotherLimitIsTakenAsItIs() {
		this.millis = 42;
		assertThat(limit(2_345_999_999L)).isEqualTo(Duration.ofMillis(2_345));
	}

	@Test
	void aLimitBelowAMillisecondIsNotTakenForNoLimit() {
		assertThat(limit(1)).isEqualTo(Duration.ofMillis(1));
	}

	private long endOfLongestLimit(long time) {
		this.millis = time;
		return time + longestLimit().toMillis();
	}

	private Duration longestLimit() {
		return limit(Step.Call.LONGEST_NANOS);
	}

	private Duration limit(long nanos) {
		return this.limits.limit(nanos).apiCallTimeout().orElseThrow();
	}

}

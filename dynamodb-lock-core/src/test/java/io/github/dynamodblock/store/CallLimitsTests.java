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

	@ParameterizedTest
	@ValueSource(longs = { 1, 39, 40, 199, 200, 799, 800, 981, 2_345, 3_999, 4_000, 4_999 })
	void anotherLimitIsShortenedByAtMostAFortiethAndNeverLonger(long limit) {
		LongStream.range(-250, 250).forEach((time) -> {
			this.millis = time;
			assertThat(limit(limit * 1_000_000 + 999_999).toMillis()).isBetween(limit - limit / 40, limit);
		});
	}

	@Test
	void limitsOfHeartbeatsThatAreSentWithinASecondHaveFewEnds() {
		assertThat(LongStream.range(0, 1_000).map((time) -> end(time, 981)).distinct().count()).isEqualTo(51);
	}

	@Test
	void aShortLimitEndsTogetherWithLongerOnes() {
		assertThat(List.of(end(2_000, 5_000), end(3_005, 4_000), end(6_021, 981), end(6_800, 202)))
			.containsOnly(7_000L);
	}

	@Test
	void aLimitBelowAMillisecondIsNotTakenForNoLimit() {
		assertThat(limit(1)).isEqualTo(Duration.ofMillis(1));
	}

	private long endOfLongestLimit(long time) {
		return end(time, 5_000);
	}

	private long end(long time, long limitMillis) {
		this.millis = time;
		return time + limit(limitMillis * 1_000_000).toMillis();
	}

	private Duration longestLimit() {
		return limit(Step.Call.LONGEST_NANOS);
	}

	private Duration limit(long nanos) {
		return this.limits.limit(nanos).apiCallTimeout().orElseThrow();
	}

}

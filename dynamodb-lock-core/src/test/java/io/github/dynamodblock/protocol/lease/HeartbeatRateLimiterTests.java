/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.protocol.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

class HeartbeatRateLimiterTests {

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private final HeartbeatRateLimiter tenPerSecond = new HeartbeatRateLimiter(10);

	@Test
	void heartbeatsOfOneMomentAreSentOneIntervalApart() {
		assertThat(this.tenPerSecond.delay(at(0), MINUTE)).isZero();
		assertThat(this.tenPerSecond.delay(at(0), MINUTE)).isEqualTo(Duration.ofMillis(100).toNanos());
		assertThat(this.tenPerSecond.delay(at(50), MINUTE)).isEqualTo(Duration.ofMillis(150).toNanos());
	}

	@Test
	void anIdleTimeIsNotMadeUpFor() {
		this.tenPerSecond.delay(at(0), MINUTE);
		assertThat(this.tenPerSecond.delay(at(10_000), MINUTE)).isZero();
		assertThat(this.tenPerSecond.delay(at(10_000), MINUTE)).isEqualTo(Duration.ofMillis(100).toNanos());
	}

	@Test
	void aHeartbeatThatCannotWaitIsSentNowAndDelaysNoOther() {
		this.tenPerSecond.delay(at(0), MINUTE);
		assertThat(this.tenPerSecond.delay(at(0), Duration.ofMillis(99).toNanos())).isZero();
		assertThat(this.tenPerSecond.delay(at(0), MINUTE)).isEqualTo(Duration.ofMillis(100).toNanos());
	}

	@Test
	void withoutALimitNoHeartbeatWaits() {
		HeartbeatRateLimiter unlimited = new HeartbeatRateLimiter(0);
		assertThat(unlimited.delay(at(0), MINUTE)).isZero();
		assertThat(unlimited.delay(at(0), MINUTE)).isZero();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;

import io.github.dynamodblock.LockRequest;
import org.junit.jupiter.api.Test;

import static io.github.dynamodblock.runtime.VirtualClient.granted;
import static io.github.dynamodblock.runtime.VirtualClient.refused;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What waiting behind another client costs, and how it ends, in virtual time on a real
 * table.
 */
class FollowerTests extends VirtualTimeTest {

	@Test
	void aFollowerWritesNothingWhileTheLeaderLives() {
		one().acquire("k");
		two().start(LockRequest.of("k").waitTime(Duration.ofHours(1)));
		time().pass(Duration.ofMinutes(1));
		assertThat(two().environment().written()).isEqualTo(1);
		// Half a read unit each: below twelve units a second.
		assertThat(two().environment().sent() / 2).isLessThan(60 * 12);
		// One claim, and a heartbeat every two and a half seconds.
		assertThat(one().environment().written()).isLessThan(30);
	}

	@Test
	void aSecondWaitGoesOnWhereTheFirstOneLeftOff() {
		crash(one(), "k");
		AcquireLoop first = two().start(LockRequest.of("k").waitTime(Duration.ofSeconds(6)));
		time().pass(Duration.ofSeconds(6));
		refused(first);
		AcquireLoop second = two().start(LockRequest.of("k").waitTime(Duration.ofSeconds(6)));
		time().pass(Duration.ofSeconds(5));
		assertThat(granted(second).isHeld()).isTrue();
	}

}

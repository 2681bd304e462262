/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.SettableClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@InstrumentedLockServer
class LeaseTimeTests {

	private static final String NAMESPACE = "lease-time";

	private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);

	@LocalServerPort
	private int port;

	@Autowired
	private SettableClock clock;

	private LockServerCalls calls;

	@BeforeEach
	void stopTheClock() {
		this.calls = LockServerCalls.on(this.port);
		this.clock.stopAt(this.start);
	}

	@AfterEach
	void letTheClockGoOn() {
		this.clock.goOn(Duration.ZERO);
	}

	@Test
	void aLeaseEndsItsDurationAfterTheSecondInWhichItBegan() {
		this.clock.stopAt(this.start.plusMillis(999));

		assertThat(acquire("begins", "one", 60).number("expiry")).isEqualTo(seconds(60));
	}

	@Test
	void aLockIsHeldThroughTheWholeSecondOfItsExpiry() {
		acquire("whole-second", "one", 10);

		this.clock.stopAt(this.start.plusMillis(10_999));
		assertThat(this.calls.get(NAMESPACE, "whole-second").number("expiry")).isEqualTo(seconds(10));
		assertThat(release("whole-second", "two").status()).isEqualTo(423);

		this.clock.stopAt(this.start.plusMillis(11_000));
		assertThat(this.calls.get(NAMESPACE, "whole-second").body().has("owner")).isFalse();
		assertThat(this.calls.get(NAMESPACE, "whole-second").body().has("expiry")).isFalse();
	}

	@Test
	void aLockIsRenewedInTheSecondOfItsExpiryAndNotAfterIt() {
		acquire("renewed", "one", 10);

		this.clock.stopAt(this.start.plusMillis(10_999));
		assertThat(renew("renewed", "one", 5).number("expiry")).isEqualTo(seconds(15));

		this.clock.stopAt(this.start.plusMillis(16_000));
		Answer late = renew("renewed", "one", 5);
		assertThat(late.status()).isEqualTo(423);
		assertThat(late.text()).isEqualTo("{\"success\":false,\"namespace\":\"lease-time\",\"lockName\":\"renewed\"}");
		assertThat(this.calls.get(NAMESPACE, "renewed").body().has("owner")).isFalse();
	}

	@Test
	void anExpiredLockIsReleasedByAnybody() {
		acquire("expired", "one", 10);
		acquire("expired-own", "one", 10);
		this.clock.stopAt(this.start.plusSeconds(11));

		assertThat(release("expired", "two").text())
			.isEqualTo("{\"success\":true,\"namespace\":\"lease-time\",\"lockName\":\"expired\"}");
		assertThat(release("expired-own", "one").status()).isEqualTo(200);
	}

	@Test
	void aLeaseIsCutToTheLongestAndTheAnswerSaysSo() {
		Answer answer = acquire("cut", "one", 86400);

		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.number("leaseDuration")).isEqualTo(100);
		assertThat(answer.number("expiry")).isEqualTo(seconds(100));
		assertThat(this.calls.get(NAMESPACE, "cut").number("expiry")).isEqualTo(seconds(100));
	}

	@Test
	void aRenewalIsCutSoThatTheLeaseDoesNotEndLaterThanTheLongestFromNow() {
		acquire("renewal-cut", "one", 60);

		Answer cut = renew("renewal-cut", "one", 60);
		assertThat(cut.status()).isEqualTo(200);
		assertThat(cut.number("leaseDuration")).isEqualTo(100);
		assertThat(cut.number("expiry")).isEqualTo(seconds(100));

		Answer nothingAdded = renew("renewal-cut", "one", 60);
		assertThat(nothingAdded.status()).isEqualTo(200);
		assertThat(nothingAdded.number("expiry")).isEqualTo(seconds(100));

		this.clock.stopAt(this.start.plusSeconds(30));
		Answer later = renew("renewal-cut", "one", 86400);
		assertThat(later.number("leaseDuration")).isEqualTo(130);
		assertThat(later.number("expiry")).isEqualTo(seconds(130));
	}

	private long seconds(long after) {
		return this.start.getEpochSecond() + after;
	}

	private Answer acquire(String lockName, String instanceId, long seconds) {
		return this.calls.acquire(NAMESPACE, lockName, instanceId, seconds);
	}

	private Answer renew(String lockName, String instanceId, long seconds) {
		return this.calls.renew(NAMESPACE, lockName, instanceId, seconds);
	}

	private Answer release(String lockName, String instanceId) {
		return this.calls.release(NAMESPACE, lockName, instanceId);
	}

}

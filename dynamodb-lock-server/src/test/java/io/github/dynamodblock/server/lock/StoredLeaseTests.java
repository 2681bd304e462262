/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.SettableClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lease that the lock client is told, which others wait for, is longer by the clock
 * bound than what is left to the end of the expiry's second: the holder may go by a clock
 * that is behind the one of the instance that serves it.
 */
@InstrumentedLockServer
class StoredLeaseTests {

	private static final Holder HOLDER = new Holder("owner", "one");

	private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);

	@Autowired
	private Locks locks;

	@Autowired
	private LockClient client;

	@Autowired
	private SettableClock clock;

	@Value("${dynamodb-lock.clock-skew-bound}")
	private Duration bound;

	@BeforeEach
	void stopTheClock() {
		this.clock.stopAt(this.start.plusMillis(250));
	}

	@AfterEach
	void letTheClockGoOn() {
		this.clock.goOn(Duration.ZERO);
	}

	@Test
	void theBoundIsConfigured() {
		assertThat(this.bound).isPositive();
	}

	@Test
	void aGrantIsStoredForItsRestAndTheBound() throws Exception {
		acquire("granted", 10);

		assertThat(stored("granted")).isEqualTo(Duration.ofMillis(10_750).plus(this.bound));
	}

	@Test
	void aLeaseThatIsAcquiredAgainIsStoredForItsRestAndTheBound() throws Exception {
		acquire("again", 60);
		this.clock.stopAt(this.start.plusMillis(1_999));

		acquire("again", 10);
		assertThat(stored("again")).isEqualTo(Duration.ofMillis(59_001).plus(this.bound));

		acquire("again", 70);
		assertThat(stored("again")).isEqualTo(Duration.ofMillis(70_001).plus(this.bound));
	}

	@Test
	void aRenewalIsStoredForItsRestAndTheBound() throws Exception {
		acquire("renewed", 10);
		this.clock.stopAt(this.start.plusMillis(4_500));

		this.locks.renew(name("renewed"), HOLDER, 5, null, null, () -> true);

		assertThat(stored("renewed")).isEqualTo(Duration.ofMillis(11_500).plus(this.bound));
	}

	private void acquire(String lockName, long seconds) throws InterruptedException {
		assertThat(this.locks.acquire(name(lockName), HOLDER, seconds, null, () -> true)).isPresent();
	}

	private Duration stored(String lockName) {
		return this.client.find(LockKey.of("stored-lease", lockName)).orElseThrow().leaseDuration();
	}

	private static LockName name(String lockName) {
		return new LockName("stored-lease", lockName);
	}

}

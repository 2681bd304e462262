/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.StoreCalls;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call is held up after it has read the lock, and others are served meanwhile.
 */
@InstrumentedLockServer
class CrossingCallsTests {

	private static final String NAMESPACE = "crossing";

	@LocalServerPort
	private int port;

	@Autowired
	private StoreCalls store;

	private LockServerCalls calls;

	@BeforeEach
	void connect() {
		this.calls = LockServerCalls.on(this.port);
	}

	@Test
	void aReleaseThatComesLateDoesNotFreeWhatTheHolderHasAcquiredSince() {
		acquire("late-release", "one");
		this.store.beforeNextWrite(() -> {
			assertThat(release("late-release", "one").status()).isEqualTo(200);
			assertThat(acquire("late-release", "one").status()).isEqualTo(200);
		});

		assertThat(release("late-release", "one").status()).isEqualTo(200);

		assertThat(this.calls.get(NAMESPACE, "late-release").body().has("owner")).isTrue();
		assertThat(renew("late-release", "one").status()).isEqualTo(200);
	}

	@Test
	void aReleaseThatComesLateDoesNotFreeWhatSomebodyElseHasAcquiredSince() {
		acquire("successor", "one");
		this.store.beforeNextWrite(() -> {
			release("successor", "one");
			assertThat(acquire("successor", "two").status()).isEqualTo(200);
		});

		assertThat(release("successor", "one").status()).isEqualTo(423);

		assertThat(renew("successor", "two").status()).isEqualTo(200);
	}

	@Test
	void aReleaseThatARenewalComesBeforeReleasesAllTheSame() {
		acquire("renewed-meanwhile", "one");
		this.store.beforeNextWrite(() -> assertThat(renew("renewed-meanwhile", "one").status()).isEqualTo(200));

		assertThat(release("renewed-meanwhile", "one").status()).isEqualTo(200);

		assertThat(this.calls.get(NAMESPACE, "renewed-meanwhile").body().has("owner")).isFalse();
	}

	@Test
	void aRenewalThatComesLateRenewsNobodyElsesLock() {
		acquire("late-renewal", "one");
		this.store.beforeNextWrite(() -> {
			release("late-renewal", "one");
			acquire("late-renewal", "two");
		});

		assertThat(renew("late-renewal", "one").status()).isEqualTo(423);

		assertThat(renew("late-renewal", "two").number("leaseDuration")).isEqualTo(65);
	}

	@Test
	void aRenewalThatAnotherComesBeforeAddsToIt() {
		acquire("renewed-twice", "one");
		this.store.beforeNextWrite(() -> renew("renewed-twice", "one"));

		assertThat(renew("renewed-twice", "one").number("leaseDuration")).isEqualTo(70);
	}

	private Answer acquire(String lockName, String instanceId) {
		return this.calls.acquire(NAMESPACE, lockName, instanceId, 60);
	}

	private Answer renew(String lockName, String instanceId) {
		return this.calls.renew(NAMESPACE, lockName, instanceId, 5);
	}

	private Answer release(String lockName, String instanceId) {
		return this.calls.release(NAMESPACE, lockName, instanceId);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.ServiceInstance;
import io.github.dynamodblock.server.StoreCalls;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call is held up after it has read the lock, and another instance serves others
 * meanwhile: those of one instance would wait.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrossingCallsTests {

	private static final String NAMESPACE = "crossing";

	private final StoreCalls store = new StoreCalls();

	private ServiceInstance instance;

	private ServiceInstance otherInstance;

	private LockServerCalls calls;

	private LockServerCalls other;

	@BeforeAll
	void start() {
		this.instance = ServiceInstance.start(this.store, "authentication.disabled=true");
		this.otherInstance = ServiceInstance.start("authentication.disabled=true");
		this.calls = this.instance.calls();
		this.other = this.otherInstance.calls();
	}

	@AfterAll
	void stop() {
		this.instance.close();
		this.otherInstance.close();
	}

	@Test
	void aReleaseThatComesLateDoesNotFreeWhatTheHolderHasAcquiredSince() {
		acquire("late-release", "one");
		this.store.beforeNextWrite(() -> {
			assertThat(this.other.release(NAMESPACE, "late-release", "one").status()).isEqualTo(200);
			assertThat(this.other.acquire(NAMESPACE, "late-release", "one", 60).status()).isEqualTo(200);
		});

		assertThat(release("late-release", "one").status()).isEqualTo(200);

		assertThat(this.calls.get(NAMESPACE, "late-release").body().has("owner")).isTrue();
		assertThat(renew("late-release", "one").status()).isEqualTo(200);
	}

	@Test
	void aReleaseThatComesLateDoesNotFreeWhatSomebodyElseHasAcquiredSince() {
		acquire("successor", "one");
		this.store.beforeNextWrite(() -> {
			this.other.release(NAMESPACE, "successor", "one");
			assertThat(this.other.acquire(NAMESPACE, "successor", "two", 60).status()).isEqualTo(200);
		});

		assertThat(release("successor", "one").status()).isEqualTo(423);

		assertThat(renew("successor", "two").status()).isEqualTo(200);
	}

	@Test
	void aReleaseThatARenewalComesBeforeReleasesAllTheSame() {
		acquire("renewed-meanwhile", "one");
		this.store.beforeNextWrite(
				() -> assertThat(this.other.renew(NAMESPACE, "renewed-meanwhile", "one", 5).status()).isEqualTo(200));

		assertThat(release("renewed-meanwhile", "one").status()).isEqualTo(200);

		assertThat(this.calls.get(NAMESPACE, "renewed-meanwhile").body().has("owner")).isFalse();
	}

	@Test
	void aRenewalThatComesLateRenewsNobodyElsesLock() {
		acquire("late-renewal", "one");
		this.store.beforeNextWrite(() -> {
			this.other.release(NAMESPACE, "late-renewal", "one");
			this.other.acquire(NAMESPACE, "late-renewal", "two", 60);
		});

		assertThat(renew("late-renewal", "one").status()).isEqualTo(423);

		assertThat(renew("late-renewal", "two").number("leaseDuration")).isEqualTo(65);
	}

	@Test
	void aRenewalThatAnotherComesBeforeAddsToIt() {
		acquire("renewed-twice", "one");
		this.store.beforeNextWrite(() -> this.other.renew(NAMESPACE, "renewed-twice", "one", 5));

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

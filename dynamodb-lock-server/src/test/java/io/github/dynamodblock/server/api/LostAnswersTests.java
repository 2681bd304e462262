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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * DynamoDB applies a write, but its answer gets lost, so that the write is sent again.
 * Meanwhile, another instance serves others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostAnswersTests {

	private static final String NAMESPACE = "lost-answers";

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

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "key")
	void aRenewalAddsOnce(String key) {
		long expiry = acquire("alone-" + key, "one").number("expiry");
		this.store.loseNextAnswer(() -> {
		});

		Answer renewed = this.calls.renew(NAMESPACE, "alone-" + key, "one", 7, key);

		assertThat(renewed.status()).isEqualTo(200);
		assertThat(renewed.number("leaseDuration")).isEqualTo(67);
		assertThat(this.calls.get(NAMESPACE, "alone-" + key).number("expiry")).isEqualTo(expiry + 7);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "key")
	void aRenewalAndTheOneThatComesBetweenAddOnceEach(String key) {
		long expiry = acquire("between-" + key, "one").number("expiry");
		this.store.loseNextAnswer(
				() -> assertThat(this.other.renew(NAMESPACE, "between-" + key, "one", 5).number("leaseDuration"))
					.isEqualTo(72));

		Answer renewed = this.calls.renew(NAMESPACE, "between-" + key, "one", 7, key);

		assertThat(renewed.status()).isEqualTo(200);
		assertThat(renewed.number("leaseDuration")).isEqualTo(72);
		assertThat(this.calls.get(NAMESPACE, "between-" + key).number("expiry")).isEqualTo(expiry + 12);
	}

	@Test
	void aRenewalDoesNotBringBackWhatIsReleasedMeanwhile() {
		acquire("released", "one");
		this.store.loseNextAnswer(() -> this.other.release(NAMESPACE, "released", "one"));

		assertThat(this.calls.renew(NAMESPACE, "released", "one", 7).status()).isEqualTo(423);

		assertThat(this.calls.get(NAMESPACE, "released").body().has("owner")).isFalse();
	}

	@Test
	void anAcquisitionIsGrantedOnce() {
		this.store.loseNextAnswer(() -> {
		});

		Answer granted = acquire("granted", "one");

		assertThat(granted.status()).isEqualTo(200);
		assertThat(this.calls.renew(NAMESPACE, "granted", "one", 7).number("fencingToken"))
			.isEqualTo(granted.number("fencingToken"));
	}

	@Test
	void aReleaseDoesNotFreeWhatSomebodyElseAcquiresMeanwhile() {
		acquire("successor", "one");
		this.store.loseNextAnswer(
				() -> assertThat(this.other.acquire(NAMESPACE, "successor", "two", 60).status()).isEqualTo(200));

		assertThat(release("successor", "one").status()).isIn(200, 423);

		assertThat(this.calls.renew(NAMESPACE, "successor", "two", 7).status()).isEqualTo(200);
	}

	private Answer acquire(String lockName, String instanceId) {
		return this.calls.acquire(NAMESPACE, lockName, instanceId, 60);
	}

	private Answer release(String lockName, String instanceId) {
		return this.calls.release(NAMESPACE, lockName, instanceId);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@RunningLockServer
class RenewalTests {

	private static final String NAMESPACE = "renewals";

	@LocalServerPort
	private int port;

	private LockServerCalls calls;

	@BeforeEach
	void connect() {
		this.calls = LockServerCalls.on(this.port);
	}

	@Test
	void aRenewalWithoutAKeyAddsEachTimeItIsSent() {
		acquire("no-key");

		renew("no-key", 10, null);

		assertThat(renew("no-key", 10, null).number("leaseDuration")).isEqualTo(80);
	}

	@Test
	void aRenewalThatIsRepeatedWithItsKeyAddsOnceAndIsToldTheLeaseAsItIs() {
		long expiry = acquire("repeated").number("expiry");
		Answer first = renew("repeated", 10, "key-1");

		Answer repeated = renew("repeated", 10, "key-1");
		Answer other = renew("repeated", 5, "key-2");
		Answer repeatedAgain = renew("repeated", 10, "key-1");

		assertThat(first.number("expiry")).isEqualTo(expiry + 10);
		assertThat(repeated.text()).isEqualTo(first.text());
		assertThat(other.number("leaseDuration")).isEqualTo(75);
		assertThat(repeatedAgain.text()).isEqualTo(other.text());
	}

	@Test
	void aKeyThatComesWithAnotherDurationIsRefusedAndChangesNothing() {
		long expiry = acquire("reused").number("expiry");
		renew("reused", 10, "key");

		Answer answer = renew("reused", 20, "key");

		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.body().path("message").asString()).isEqualTo(
				"The idempotency key was already used for 'renew 10' of this lock, not for 'renew 20'; use a new key "
						+ "for each call");
		assertThat(this.calls.get(NAMESPACE, "reused").number("expiry")).isEqualTo(expiry + 10);
	}

	@Test
	void theKeysOfTheLastEightRenewalsAreKnown() {
		acquire("eight");
		for (int renewal = 1; renewal <= 9; renewal++) {
			renew("eight", 1, "key-" + renewal);
		}

		assertThat(renew("eight", 1, "key-9").number("leaseDuration")).isEqualTo(69);
		assertThat(renew("eight", 1, "key-2").number("leaseDuration")).isEqualTo(69);
		assertThat(renew("eight", 1, "key-1").number("leaseDuration")).isEqualTo(70);
	}

	@Test
	void aKeyIsKnownUntilTheHoldEndsAlsoWhenTheHolderAcquiresAgain() {
		acquire("new-hold");
		long expiry = renew("new-hold", 10, "key").number("expiry");
		acquire("new-hold");
		assertThat(renew("new-hold", 10, "key").number("expiry")).isEqualTo(expiry);

		this.calls.release(NAMESPACE, "new-hold", "one");
		acquire("new-hold");
		assertThat(renew("new-hold", 30, "key").number("leaseDuration")).isEqualTo(90);
	}

	@Test
	void aKeyOfSomebodyElsesRenewalRenewsNothing() {
		acquire("foreign-key");
		renew("foreign-key", 10, "key");

		assertThat(this.calls.renew(NAMESPACE, "foreign-key", "two", 10, "key").status()).isEqualTo(423);
	}

	private Answer acquire(String lockName) {
		return this.calls.acquire(NAMESPACE, lockName, "one", 60);
	}

	private Answer renew(String lockName, long seconds, @Nullable String key) {
		return this.calls.renew(NAMESPACE, lockName, "one", seconds, key);
	}

}

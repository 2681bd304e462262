/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.List;

import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.StoreCalls;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static io.github.dynamodblock.server.StoreCalls.READ;
import static io.github.dynamodblock.server.StoreCalls.STALE_READ;
import static io.github.dynamodblock.server.StoreCalls.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

@InstrumentedLockServer
class StoreCallsTests {

	private static final String NAMESPACE = "store-calls";

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
	void aLookIsOneConsistentRead() {
		assertThat(madeBy(() -> this.calls.get(NAMESPACE, "look"))).containsExactly(READ);
	}

	@Test
	void aGrantIsOneWrite() {
		assertThat(madeBy(() -> acquire("grant", "one"))).containsExactly(WRITE);
		release("grant", "one");
		assertThat(madeBy(() -> acquire("grant", "two"))).containsExactly(WRITE);
	}

	@Test
	void aGrantToTheHolderItselfIsTwoWrites() {
		acquire("again", "one");

		assertThat(madeBy(() -> acquire("again", "one"))).containsExactly(WRITE, WRITE);
	}

	@Test
	void aRenewalIsAConsistentReadAndAWrite() {
		acquire("renewal", "one");

		assertThat(madeBy(() -> this.calls.renew(NAMESPACE, "renewal", "one", 1, "key"))).containsExactly(READ, WRITE);
		assertThat(madeBy(() -> this.calls.renew(NAMESPACE, "renewal", "one", 1, "key"))).containsExactly(READ);
		assertThat(madeBy(() -> this.calls.renew(NAMESPACE, "renewal", "two", 1))).containsExactly(READ);
	}

	@Test
	void aReleaseIsAConsistentReadAndAWrite() {
		acquire("release", "one");

		assertThat(madeBy(() -> release("release", "two"))).containsExactly(READ);
		assertThat(madeBy(() -> release("release", "one"))).containsExactly(READ, WRITE);
		assertThat(madeBy(() -> release("release", "one"))).containsExactly(READ);
	}

	/**
	 * Who is told that somebody else has the lock is not told so on the word of a read
	 * that may be behind.
	 */
	@Test
	void aRefusalRestsOnAConsistentReadHoweverOftenItIsAskedFor() {
		acquire("refusal", "one");

		assertThat(madeBy(() -> acquire("refusal", "two"))).containsExactly(WRITE, READ);
		for (int time = 0; time < 3; time++) {
			assertThat(madeBy(() -> acquire("refusal", "two"))).containsExactly(STALE_READ, READ);
		}
	}

	private List<String> madeBy(Runnable call) {
		this.store.forget();
		call.run();
		return this.store.made();
	}

	private void acquire(String lockName, String instanceId) {
		this.calls.acquire(NAMESPACE, lockName, instanceId, 60);
	}

	private void release(String lockName, String instanceId) {
		this.calls.release(NAMESPACE, lockName, instanceId);
	}

}

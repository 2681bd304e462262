/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.api;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.function.Supplier;

import io.github.dynamodblock.samples.lockservice.Crowd;
import io.github.dynamodblock.samples.lockservice.InstrumentedLockService;
import io.github.dynamodblock.samples.lockservice.LockServiceCalls;
import io.github.dynamodblock.samples.lockservice.LockServiceCalls.Answer;
import io.github.dynamodblock.samples.lockservice.StoreCalls;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is told while nothing is known: never that a lock is free, nor that somebody else
 * has it.
 */
@InstrumentedLockService
class StoreFaultsTests {

	private static final String NAMESPACE = "store-faults";

	@LocalServerPort
	private int port;

	@Autowired
	private StoreCalls store;

	private LockServiceCalls calls;

	@BeforeEach
	void connect() {
		this.calls = LockServiceCalls.on(this.port);
		assertThat(this.calls.acquire(NAMESPACE, "lock", "one", 60).status()).isEqualTo(200);
	}

	@AfterEach
	void mend() {
		this.store.mend();
		assertThat(this.calls.get(NAMESPACE, "lock").body().path("owner").asString()).isEqualTo("anonymous");
		assertThat(this.calls.renew(NAMESPACE, "lock", "one", 1).status()).isEqualTo(200);
	}

	@Test
	void aMissingTableIsAFaultAndNotAFreeLock() throws Exception {
		this.store.askFor("no-such-table");

		allAreUnavailable();
	}

	@Test
	void aStoreThatCannotBeReachedIsAFault() throws Exception {
		this.store.goTo(closedPort());

		allAreUnavailable();
	}

	@Test
	void aStoreThatDoesNotAnswerIsAFault() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			this.store.goTo(silent.getLocalPort());

			allAreUnavailable();
		}
	}

	@Test
	void aWriteWithoutAnAnswerAfterAReadWithOneIsAFault() throws Exception {
		int closed = closedPort();
		this.calls.acquire(NAMESPACE, "renewed", "one", 2);
		this.store.beforeNextWrite(() -> this.store.goTo(closed));
		assertThat(this.calls.renew(NAMESPACE, "renewed", "one", 2).status()).isEqualTo(503);

		this.store.mend();
		this.calls.acquire(NAMESPACE, "released", "one", 2);
		this.store.beforeNextWrite(() -> this.store.goTo(closed));
		assertThat(this.calls.release(NAMESPACE, "released", "one").status()).isEqualTo(503);
	}

	private void allAreUnavailable() throws Exception {
		List<Supplier<Answer>> all = List.of(() -> this.calls.get(NAMESPACE, "lock"),
				() -> this.calls.get(NAMESPACE, "never-held"), () -> this.calls.acquire(NAMESPACE, "lock", "one", 2),
				() -> this.calls.acquire(NAMESPACE, "lock", "two", 2),
				() -> this.calls.acquire(NAMESPACE, "never-held", "one", 2),
				() -> this.calls.renew(NAMESPACE, "lock", "one", 2),
				() -> this.calls.renew(NAMESPACE, "lock", "two", 2), () -> this.calls.release(NAMESPACE, "lock", "one"),
				() -> this.calls.release(NAMESPACE, "lock", "two"));

		List<Answer> answers = Crowd.of(all.size(), (number) -> all.get(number).get());

		assertThat(answers).allSatisfy((answer) -> {
			assertThat(answer.status()).isEqualTo(503);
			assertThat(answer.header("Retry-After")).isEqualTo("1");
			assertThat(answer.text()).matches("\\{\"message\":\"Service unavailable\",\"errorId\":\"[0-9a-f-]{36}\"}");
		});
	}

	private static int closedPort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.github.dynamodblock.server.Crowd;
import io.github.dynamodblock.server.InstrumentedLockServer;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.StoreCalls;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is told while nothing is known: never that a lock is free, nor that somebody else
 * has it. All faults, each of a namespace of its own, are waited for at once.
 */
@InstrumentedLockServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreFaultsTests {

	private static final String NO_TABLE = "faults-no-table";

	private static final String UNREACHABLE = "faults-unreachable";

	private static final String SILENT = "faults-silent";

	private static final String NO_WRITES = "faults-no-writes";

	private final Map<String, List<Answer>> answers = new ConcurrentHashMap<>();

	@LocalServerPort
	private int port;

	@Autowired
	private StoreCalls store;

	private LockServerCalls calls;

	@BeforeAll
	void callWhileNothingIsKnown() throws Exception {
		this.calls = LockServerCalls.on(this.port);
		List<String> namespaces = List.of(NO_TABLE, UNREACHABLE, SILENT, NO_WRITES);
		namespaces.forEach((namespace) -> this.calls.acquire(namespace, "held", "one", 60));
		// Leases are short where a call is given up only as they end.
		List.of("renewed", "released").forEach((lock) -> this.calls.acquire(NO_WRITES, lock, "one", 3));
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			this.store.askFor(NO_TABLE, "no-such-table");
			this.store.goTo(UNREACHABLE, closedPort());
			this.store.goTo(SILENT, silent.getLocalPort());
			this.store.writeTo(NO_WRITES, closedPort());
			List<Map.Entry<String, Supplier<Answer>>> all = new ArrayList<>();
			for (String namespace : namespaces) {
				List<Supplier<Answer>> ofNamespace = NO_WRITES.equals(namespace) ? writes(namespace) : all(namespace);
				ofNamespace.forEach((call) -> all.add(Map.entry(namespace, call)));
			}
			Crowd.of(all.size(),
					(number) -> this.answers
						.computeIfAbsent(all.get(number).getKey(), (namespace) -> new CopyOnWriteArrayList<>())
						.add(all.get(number).getValue().get()));
		}
		finally {
			this.store.mend();
		}
	}

	private List<Supplier<Answer>> all(String namespace) {
		return List.of(() -> this.calls.get(namespace, "held"), () -> this.calls.get(namespace, "never-held"),
				() -> this.calls.acquire(namespace, "held", "one", 2),
				() -> this.calls.acquire(namespace, "held", "two", 2),
				() -> this.calls.acquire(namespace, "never-held", "one", 2),
				() -> this.calls.renew(namespace, "held", "one", 2),
				() -> this.calls.renew(namespace, "held", "two", 2), () -> this.calls.release(namespace, "held", "one"),
				() -> this.calls.release(namespace, "held", "two"));
	}

	/** What goes on to a write after a read that was answered. */
	private List<Supplier<Answer>> writes(String namespace) {
		return List.of(() -> this.calls.renew(namespace, "renewed", "one", 2),
				() -> this.calls.release(namespace, "released", "one"));
	}

	@Test
	void aMissingTableIsAFaultAndNotAFreeLock() {
		allWereUnavailable(NO_TABLE, 9);
	}

	@Test
	void aStoreThatCannotBeReachedIsAFault() {
		allWereUnavailable(UNREACHABLE, 9);
	}

	@Test
	void aStoreThatDoesNotAnswerIsAFault() {
		allWereUnavailable(SILENT, 9);
	}

	@Test
	void aWriteWithoutAnAnswerAfterAReadWithOneIsAFault() {
		allWereUnavailable(NO_WRITES, 2);
	}

	@ParameterizedTest
	@ValueSource(strings = { NO_TABLE, UNREACHABLE, SILENT, NO_WRITES })
	void afterTheFaultTheLockIsHeldAsItWas(String namespace) {
		assertThat(this.calls.get(namespace, "held").body().path("owner").asString()).isEqualTo("anonymous");
		assertThat(this.calls.renew(namespace, "held", "two", 1).status()).isEqualTo(423);
		assertThat(this.calls.renew(namespace, "held", "one", 1).number("leaseDuration")).isEqualTo(61);
	}

	private void allWereUnavailable(String namespace, int count) {
		assertThat(this.answers.get(namespace)).hasSize(count).allSatisfy((answer) -> {
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

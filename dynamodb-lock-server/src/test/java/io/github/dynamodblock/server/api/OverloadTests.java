/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.github.dynamodblock.server.Crowd;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RawCalls;
import io.github.dynamodblock.server.ServiceInstance;
import io.github.dynamodblock.server.StoreCalls;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of more calls than DynamoDB answers.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class OverloadTests {

	private static final String NAMESPACE = "overload";

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/** Three fifths of the calls that the lock client sends at a time. */
	private static final int UNDER_WAY = 15;

	private final StoreCalls store = new StoreCalls();

	@Test
	void callersThatLeaveWhileDynamoDbStallsHoldNoLock() {
		try (ServiceInstance instance = start("1m")) {
			this.store.holdUp(NAMESPACE);
			List<RawCalls> callers = acquire(instance, 200, "left-");
			await().atMost(PATIENCE)
				.untilAsserted(
						() -> assertThat(List.of(callsUnderWay(instance), writes())).containsExactly(200, UNDER_WAY));
			callers.forEach(RawCalls::close);
			this.store.mend();
			await().atMost(PATIENCE).untilAsserted(() -> assertThat(callsUnderWay(instance)).isZero());
			// Each write under way was a grant, and one more released it.
			assertThat(writes()).isEqualTo(2 * UNDER_WAY);
			allAreFree(instance, 200, "left-");
		}
	}

	@Test
	void callsEndAtTheirDeadlineWhileDynamoDbStallsAndHoldNoLockAfterwards() throws Exception {
		try (ServiceInstance instance = start("2s")) {
			this.store.holdUp(NAMESPACE);
			List<Answer> answers = Crowd.of(2 * UNDER_WAY,
					(number) -> instance.calls().acquire(NAMESPACE, "late-" + number, "an-instance", 600));
			assertThat(answers).allSatisfy((answer) -> {
				assertThat(answer.status()).isEqualTo(503);
				assertThat(answer.header("Retry-After")).isNotNull();
				assertThat(answer.body().has("errorId")).isTrue();
			});
			this.store.mend();
			await().atMost(PATIENCE).untilAsserted(() -> assertThat(writes()).isEqualTo(2 * UNDER_WAY));
			assertThat(instance.calls().acquire(NAMESPACE, "after-the-stall", "an-instance", 60).status())
				.isEqualTo(200);
			allAreFree(instance, 2 * UNDER_WAY, "late-");
		}
	}

	@Test
	void callsBeyondTheMostThatWaitAreRefusedAtOnceAndThoseThatWaitAreServed() {
		try (ServiceInstance instance = start("1m")) {
			this.store.holdUp(NAMESPACE);
			List<RawCalls> waiting = acquire(instance, 1000, "waits-");
			await().atMost(PATIENCE).untilAsserted(() -> assertThat(unfinished(instance)).isEqualTo(1000));
			try (RawCalls refused = RawCalls.to(instance).send(RawCalls.acquire(NAMESPACE, "one-too-many"))) {
				assertThat(refused.answer()).startsWith("HTTP/1.1 503").contains("Retry-After: 1", "errorId");
			}
			assertThat(waiting).noneMatch(RawCalls::isAnswered);
			this.store.mend();
			assertThat(waiting).allSatisfy((caller) -> assertThat(caller.answer()).contains("HTTP/1.1 200"));
			waiting.forEach(RawCalls::close);
		}
	}

	@Test
	void callsOfOneLockDoNotRaceWithinAnInstance() throws Exception {
		try (ServiceInstance instance = start("1m")) {
			this.store.holdUp(NAMESPACE);
			int count = 200;
			List<RawCalls> callers = IntStream.range(0, count)
				.mapToObj((number) -> RawCalls.to(instance).send(RawCalls.acquire(NAMESPACE, "one-lock")))
				.toList();
			await().atMost(PATIENCE).until(() -> unfinished(instance) == count && writes() == 1);
			// They occupy one thread: calls of other locks go on.
			assertThat(instance.calls().acquire("other-namespace", "other-lock", "an-instance", 60).status())
				.isEqualTo(200);
			this.store.forget();
			this.store.mend();
			assertThat(callers).allSatisfy((caller) -> assertThat(caller.answer()).contains("HTTP/1.1 200"));
			assertThat(writes()).isLessThanOrEqualTo(2 * count);
			callers.forEach(RawCalls::close);
		}
	}

	@Test
	void oneLockDoesNotUseUpThePlacesOfOthers() {
		try (ServiceInstance instance = start("1m")) {
			this.store.holdUp(NAMESPACE);
			List<RawCalls> waiting = IntStream.range(0, 500)
				.mapToObj((number) -> RawCalls.to(instance).send(RawCalls.acquire(NAMESPACE, "hot")))
				.toList();
			await().atMost(PATIENCE).until(() -> unfinished(instance) == 500);
			try (RawCalls refused = RawCalls.to(instance).send(RawCalls.acquire(NAMESPACE, "hot"))) {
				assertThat(refused.answer()).startsWith("HTTP/1.1 503").contains("Retry-After: 1");
			}
			assertThat(instance.calls().acquire("other-namespace", "cold", "an-instance", 60).status()).isEqualTo(200);
			this.store.mend();
			waiting.forEach(RawCalls::close);
		}
	}

	@Test
	void aCallerThatHasSentItsNextRequestsAlreadyHasNotLeft() {
		try (ServiceInstance instance = start("1m"); RawCalls caller = RawCalls.to(instance)) {
			caller.send(RawCalls.acquire(NAMESPACE, "first") + RawCalls.get(NAMESPACE, "first")
					+ RawCalls.acquire(NAMESPACE, "second") + RawCalls.get(NAMESPACE, "second"));
			assertThat(caller.answer()).contains("HTTP/1.1 200").contains("fencingToken");
			assertThat(caller.answer()).contains("HTTP/1.1 200").contains("\"lockName\":\"first\"", "owner");
			assertThat(caller.answer()).contains("HTTP/1.1 200").contains("fencingToken");
			assertThat(caller.answer()).contains("HTTP/1.1 200").contains("\"lockName\":\"second\"", "owner");
		}
	}

	@Test
	void aCallerThatSendsItsNextRequestWhileItsCallIsUnderWayHasNotLeft() {
		try (ServiceInstance instance = start("1m"); RawCalls caller = RawCalls.to(instance)) {
			this.store.holdUp(NAMESPACE);
			caller.send(RawCalls.acquire(NAMESPACE, "held-up"));
			await().atMost(PATIENCE).until(() -> writes() == 1);
			caller.send(RawCalls.get(NAMESPACE, "held-up"));
			this.store.mend();
			assertThat(caller.answer()).contains("HTTP/1.1 200").contains("fencingToken");
			assertThat(caller.answer()).contains("HTTP/1.1 200").contains("owner");
		}
	}

	private ServiceInstance start(String requestTimeout) {
		return ServiceInstance.start(this.store, "authentication.disabled=true",
				"lock-server.request-timeout=" + requestTimeout);
	}

	private static List<RawCalls> acquire(ServiceInstance instance, int count, String lock) {
		return IntStream.range(0, count)
			.mapToObj((number) -> RawCalls.to(instance).send(RawCalls.acquire(NAMESPACE, lock + number)))
			.toList();
	}

	private static void allAreFree(ServiceInstance instance, int count, String lock) {
		assertThat(IntStream.range(0, count).mapToObj((number) -> instance.calls().get(NAMESPACE, lock + number)))
			.noneMatch((answer) -> answer.body().has("owner"));
	}

	private int writes() {
		return Collections.frequency(this.store.made(), StoreCalls.WRITE);
	}

	/** Calls that occupy a place. A request is active some time before its call does. */
	private static int unfinished(ServiceInstance instance) {
		return instance.bean(Turns.class).unfinished();
	}

	private static int callsUnderWay(ServiceInstance instance) {
		return instance.bean(MeterRegistry.class)
			.find("http.server.requests.active")
			.longTaskTimers()
			.stream()
			.mapToInt(LongTaskTimer::activeTasks)
			.sum();
	}

}

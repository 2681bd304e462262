/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import io.github.dynamodblock.server.Crowd;
import io.github.dynamodblock.server.LockServerCalls;
import io.github.dynamodblock.server.LockServerCalls.Answer;
import io.github.dynamodblock.server.RunningLockServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@RunningLockServer
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("many callers")
class ManyCallersTests {

	private static final String NAMESPACE = "many-callers";

	private static final AtomicInteger NUMBER = new AtomicInteger();

	@LocalServerPort
	private int port;

	private LockServerCalls calls;

	private String lock;

	@BeforeEach
	void connect() {
		this.calls = LockServerCalls.on(this.port);
		this.lock = "lock-" + NUMBER.incrementAndGet();
	}

	@RepeatedTest(3)
	void ofManyHoldersAtOnceExactlyOneIsGrantedTheLock() throws Exception {
		List<Answer> answers = Crowd.of(20,
				(number) -> this.calls.acquire(NAMESPACE, this.lock, "holder-" + number, 60));

		assertThat(answers.stream().map(Answer::status)).containsOnly(200, 423).containsOnlyOnce(200);
	}

	@RepeatedTest(3)
	void aHolderThatAcquiresManyTimesAtOnceIsGrantedItsLockEachTime() throws Exception {
		List<Answer> answers = Crowd.of(20, (number) -> this.calls.acquire(NAMESPACE, this.lock, "holder", 60));

		assertThat(answers.stream().map(Answer::status)).containsOnly(200);
		assertThat(answers.stream().map((answer) -> answer.number("fencingToken")).distinct()).hasSize(1);
	}

	@Test
	void renewalsAtOnceWithKeysOfTheirOwnAllAdd() throws Exception {
		long expiry = this.calls.acquire(NAMESPACE, this.lock, "holder", 60).number("expiry");

		List<Answer> answers = Crowd.of(8,
				(number) -> this.calls.renew(NAMESPACE, this.lock, "holder", 10, "key-" + number));

		assertThat(answers.stream().map(Answer::status)).containsOnly(200);
		Set<Long> leases = answers.stream().map((answer) -> answer.number("leaseDuration")).collect(Collectors.toSet());
		assertThat(leases).hasSize(8).allMatch((lease) -> lease % 10 == 0).contains(70L, 140L);
		assertThat(this.calls.get(NAMESPACE, this.lock).number("expiry")).isEqualTo(expiry + 80);
	}

	@Test
	void renewalsAtOnceWithOneKeyAddOnce() throws Exception {
		long expiry = this.calls.acquire(NAMESPACE, this.lock, "holder", 60).number("expiry");

		List<Answer> answers = Crowd.of(8, (number) -> this.calls.renew(NAMESPACE, this.lock, "holder", 10, "one-key"));

		assertThat(answers.stream().map(Answer::status)).containsOnly(200);
		assertThat(answers.stream().map((answer) -> answer.number("leaseDuration"))).containsOnly(70L);
		assertThat(this.calls.get(NAMESPACE, this.lock).number("expiry")).isEqualTo(expiry + 10);
	}

	@RepeatedTest(3)
	void releasesAtOnceByTheHolderAllSucceed() throws Exception {
		this.calls.acquire(NAMESPACE, this.lock, "holder", 60);

		List<Answer> answers = Crowd.of(12, (number) -> this.calls.release(NAMESPACE, this.lock, "holder"));

		assertThat(answers.stream().map(Answer::status)).containsOnly(200);
		assertThat(this.calls.get(NAMESPACE, this.lock).body().has("owner")).isFalse();
	}

	/** What one instance remembers of a lock must not be told to whoever has it since. */
	@Test
	void whoHasTheLockIsNeverRefusedIt() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		List<Integer> grants = Crowd.of(8, (number) -> {
			int granted = 0;
			for (int round = 0; round < 15; round++) {
				String holder = "holder-" + number;
				int status = this.calls.acquire(NAMESPACE, this.lock, holder, 60).status();
				assertThat(status).isIn(200, 423);
				if (status == 200) {
					granted++;
					assertThat(inside.incrementAndGet()).isEqualTo(1);
					assertThat(this.calls.acquire(NAMESPACE, this.lock, holder, 60).status()).isEqualTo(200);
					assertThat(this.calls.renew(NAMESPACE, this.lock, holder, 5).status()).isEqualTo(200);
					inside.decrementAndGet();
					assertThat(this.calls.release(NAMESPACE, this.lock, holder).status()).isEqualTo(200);
				}
			}
			return granted;
		});

		assertThat(grants.stream().mapToInt(Integer::intValue).sum()).isPositive();
	}

	@Test
	void sixteenConnectionsAcquireAndReleaseAgainAndAgainWithoutAnError() throws Exception {
		int cycles = 10;
		List<List<Answer>> failures = Crowd.of(16, (number) -> {
			LockServerCalls connection = LockServerCalls.on(this.port);
			List<Answer> unexpected = new ArrayList<>();
			for (int cycle = 0; cycle < cycles; cycle++) {
				unexpected.add(connection.acquire("connections", "lock-" + number, "holder-" + cycle, 60));
				unexpected.add(connection.release("connections", "lock-" + number, "holder-" + cycle));
			}
			unexpected.removeIf((answer) -> answer.status() == 200);
			return unexpected;
		});

		assertThat(failures.stream().flatMap(List::stream)).isEmpty();
		for (int number = 0; number < 16; number++) {
			assertThat(this.calls.get("connections", "lock-" + number).body().has("owner")).isFalse();
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.StoreCalls;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Heartbeats and guarded writes of one lock are sent one at a time.
 */
class ItemMutexTests {

	private static final Answer ANSWER = new Answer.Applied(null);

	private static final long LIMIT = Duration.ofSeconds(2).toNanos();

	private final VirtualTime time = new VirtualTime();

	private final ItemMutex calls = new ItemMutex(this.time::at);

	private final List<String> sent = new ArrayList<>();

	private final List<Consumer<Answer>> underWay = new ArrayList<>();

	private final List<String> answered = new ArrayList<>();

	@Test
	void aHeartbeatWaitsForTheAnswerOfAGuardedWrite() {
		write("write");
		beat("heartbeat");
		assertThat(this.sent).containsExactly("write");
		answer();
		assertThat(this.sent).containsExactly("write", "heartbeat");
	}

	@Test
	void aGuardedWriteWaitsForTheAnswerOfAHeartbeat() {
		beat("heartbeat");
		write("write");
		assertThat(this.sent).containsExactly("heartbeat");
		answer();
		assertThat(this.sent).containsExactly("heartbeat", "write");
	}

	@Test
	void aHeartbeatDoesNotWaitForAGuardedWriteThatHasNoSlotYet() {
		List<StoreCalls.Source> waiting = new ArrayList<>();
		this.calls.behindHeartbeats((source, answered) -> waiting.add(source)).send(() -> call("write"), (answer) -> {
		});
		beat("heartbeat");
		assertThat(this.sent).containsExactly("heartbeat");
		assertThat(waiting.get(0).next()).isNull();
		answer();
		assertThat(waiting).hasSize(2);
		assertThat(waiting.get(1).next()).isEqualTo(call("write"));
	}

	@Test
	void noGuardedWritePassesAHeartbeatThatHadToWait() {
		write("one");
		List<StoreCalls.Source> slots = new ArrayList<>();
		this.calls.sendHeartbeat((source, answered) -> slots.add(source), () -> call("heartbeat"), (answer) -> {
		});
		assertThat(slots.get(0).next()).isNull();
		answer();
		write("two");
		assertThat(this.sent).containsExactly("one");
		assertThat(slots.get(1).next()).isEqualTo(call("heartbeat"));
	}

	@Test
	void aHeartbeatThatNoThreadCanSendLetsTheGuardedWritesPass() {
		write("one");
		List<Consumer<Answer>> refused = new ArrayList<>();
		this.calls.sendHeartbeat((source, answered) -> {
			if (refused.isEmpty()) {
				source.next();
			}
			refused.add(answered);
		}, () -> call("heartbeat"), (answer) -> {
		});
		write("two");
		answer();
		assertThat(this.sent).containsExactly("one");
		refused.get(1).accept(ANSWER);
		assertThat(this.sent).containsExactly("one", "two");
	}

	@Test
	void aHeartbeatComesBeforeTheGuardedWritesThatWait() {
		write("one");
		write("two");
		write("three");
		beat("heartbeat");
		answer();
		answer();
		answer();
		assertThat(this.sent).containsExactly("one", "heartbeat", "two", "three");
	}

	@Test
	void aCallThatIsNotSentAfterAllLetsTheNextOnePass() {
		write("one");
		this.calls.behindHeartbeats(this::send).send(() -> null, (answer) -> this.answered.add("never sent"));
		write("two");
		answer();
		assertThat(this.sent).containsExactly("one", "two");
		answer();
		assertThat(this.answered).containsExactly("one", "two");
	}

	@Test
	void aHeartbeatWaitsForAGuardedWriteNoLongerThanThatMayTake() {
		write("write");
		beat("heartbeat");
		this.time.pass(Duration.ofNanos(LIMIT - 1));
		assertThat(this.sent).containsExactly("write");
		this.time.pass(Duration.ofNanos(1));
		assertThat(this.sent).containsExactly("write", "heartbeat");
		answer();
		assertThat(this.answered).containsExactly("write");
		write("next");
		assertThat(this.sent).containsExactly("write", "heartbeat");
		answer();
		assertThat(this.sent).containsExactly("write", "heartbeat", "next");
	}

	@Test
	void anAnswerMaySendTheNextCall() {
		this.calls.behindHeartbeats(this::send).send(() -> call("one"), (answer) -> write("two"));
		answer();
		assertThat(this.sent).containsExactly("one", "two");
	}

	private void write(String name) {
		this.calls.behindHeartbeats(this::send).send(() -> call(name), (answer) -> this.answered.add(name));
	}

	private void beat(String name) {
		this.calls.sendHeartbeat(this::send, () -> call(name), (answer) -> this.answered.add(name));
	}

	private void send(StoreCalls.Source source, Consumer<Answer> answered) {
		if (source.next() instanceof Step.Read read) {
			this.sent.add(read.key().partition());
			this.underWay.add(answered);
		}
	}

	private static Step.Call call(String name) {
		return new Step.Read(LockKey.of(name), true, LIMIT);
	}

	private void answer() {
		this.underWay.remove(0).accept(ANSWER);
	}

}

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
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.StoreCall;
import org.jspecify.annotations.Nullable;
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

	private final List<StoreCall> underWay = new ArrayList<>();

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
		List<StoreCall> waiting = new ArrayList<>();
		this.calls.send(new TestCall(CallKind.HOLDER, "write", (answer) -> {
		}), waiting::add);
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
		List<StoreCall> slots = new ArrayList<>();
		this.calls.send(new TestCall(CallKind.HEARTBEAT, "heartbeat", (answer) -> {
		}), slots::add);
		assertThat(slots.get(0).next()).isNull();
		answer();
		write("two");
		assertThat(this.sent).containsExactly("one");
		assertThat(slots.get(1).next()).isEqualTo(call("heartbeat"));
	}

	@Test
	void aHeartbeatThatNoThreadCanSendLetsTheGuardedWritesPass() {
		write("one");
		List<StoreCall> refused = new ArrayList<>();
		this.calls.send(new TestCall(CallKind.HEARTBEAT, "heartbeat", (answer) -> {
		}), (call) -> {
			if (refused.isEmpty()) {
				call.next();
			}
			refused.add(call);
		});
		write("two");
		answer();
		assertThat(this.sent).containsExactly("one");
		refused.get(1).answered(ANSWER);
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
		this.calls.send(new TestCall(CallKind.HOLDER, null, (answer) -> this.answered.add("never sent")), this::send);
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
		this.calls.send(new TestCall(CallKind.HOLDER, "one", (answer) -> write("two")), this::send);
		answer();
		assertThat(this.sent).containsExactly("one", "two");
	}

	private void write(String name) {
		this.calls.send(new TestCall(CallKind.HOLDER, name, (answer) -> this.answered.add(name)), this::send);
	}

	private void beat(String name) {
		this.calls.send(new TestCall(CallKind.HEARTBEAT, name, (answer) -> this.answered.add(name)), this::send);
	}

	private void send(StoreCall call) {
		if (call.next() instanceof Step.Read read) {
			this.sent.add(read.key().partition());
			this.underWay.add(call);
		}
	}

	private static Step.Call call(String name) {
		return new Step.Read(LockKey.of(name), true, LIMIT);
	}

	private void answer() {
		this.underWay.remove(0).answered(ANSWER);
	}

	private record TestCall(CallKind kind, @Nullable String name, Consumer<Answer> onAnswer) implements StoreCall {

		@Override
		public Priority priority() {
			return new Priority(this.kind);
		}

		@Override
		public Step.@Nullable Call next() {
			return (this.name == null) ? null : call(this.name);
		}

		@Override
		public void answered(Answer answer) {
			this.onAnswer.accept(answer);
		}

	}

}

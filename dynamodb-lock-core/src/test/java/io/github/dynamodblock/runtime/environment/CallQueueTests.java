/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.StoreCall.Priority;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallQueueTests {

	private static final Answer ANSWER = new Answer.Unknown(new IllegalStateException("the test's answer"));

	/** The calls that are under way, in the order in which they were sent. */
	private final Map<String, Consumer<Answer>> underWay = new LinkedHashMap<>();

	private final List<String> answered = new ArrayList<>();

	private final CallQueue queue = CallQueue.ofHeartbeats(this::begin, 3);

	@Test
	void onlySoManyCallsAreUnderWayAtATime() {
		send("a", "b", "c", "d");
		assertThat(this.underWay).containsOnlyKeys("a", "b", "c");
		answer("b");
		assertThat(this.underWay).containsOnlyKeys("a", "c", "d");
		assertThat(this.answered).containsExactly("b");
	}

	@Test
	void theCallThatIsDueFirstIsSentFirst() {
		send("a", "b", "c");
		send("late", CallKind.HEARTBEAT, 3);
		send("early", CallKind.HEARTBEAT, 1);
		send("middle", CallKind.HEARTBEAT, 2);
		answer("a", "b", "c");
		assertThat(this.underWay.keySet()).containsExactly("early", "middle", "late");
	}

	@Test
	void callsThatMayHangLeaveSlotsToOthers() {
		send("hung", CallKind.HUNG_HEARTBEAT, 1);
		send("hung too", CallKind.HUNG_HEARTBEAT, 2);
		assertThat(this.underWay).containsOnlyKeys("hung");
		send("a", "b");
		assertThat(this.underWay).containsOnlyKeys("hung", "a", "b");
		answer("hung");
		assertThat(this.underWay).containsOnlyKeys("a", "b", "hung too");
	}

	@Test
	void eachKindOfCallLeavesSlotsToThoseBeforeItHoweverManyHang() {
		CallQueue ten = CallQueue.ofCalls(this::begin, 10);
		for (int i = 1; i <= 20; i++) {
			send(ten, "find " + i, CallKind.READ);
		}
		assertThat(this.underWay).hasSize(8);
		for (int i = 1; i <= 20; i++) {
			send(ten, "write " + i, CallKind.HOLDER);
		}
		assertThat(this.underWay).hasSize(9).containsKey("write 1");
		for (int i = 1; i <= 20; i++) {
			send(ten, "release " + i, CallKind.RELEASE);
		}
		assertThat(this.underWay).hasSize(10).containsKey("release 1");
	}

	@Test
	void releasesGoBeforeGuardedWritesThoseBeforeReadsAndAcquisitionsLast() {
		CallQueue one = CallQueue.ofCalls(this::begin, 1);
		send(one, "first", CallKind.ACQUIRE);
		send(one, "acquire", CallKind.ACQUIRE);
		send(one, "find", CallKind.READ);
		send(one, "write", CallKind.HOLDER);
		send(one, "release", CallKind.RELEASE);
		answer("first", "release", "write", "find", "acquire");
		assertThat(this.answered).containsExactly("first", "release", "write", "find", "acquire");
	}

	@Test
	void aCallThatMayHangAndIsDueFirstIsSentFirst() {
		send("a", "b", "c");
		send("due later", CallKind.HEARTBEAT, 3);
		send("hung", CallKind.HUNG_HEARTBEAT, 2);
		send("hung too", CallKind.HUNG_HEARTBEAT, 2);
		answer("a");
		assertThat(this.underWay).containsOnlyKeys("b", "c", "hung");
		answer("b");
		assertThat(this.underWay).containsOnlyKeys("c", "hung", "due later");
	}

	@Test
	void aCallThatFallsBackWhileItWaitsLetsOthersPass() {
		send("a", "b", "c");
		AtomicReference<Priority> priority = new AtomicReference<>(new Priority(CallKind.HEARTBEAT, 1));
		this.queue.send(new TestCall("too late", priority::get, (answer) -> this.answered.add("too late")),
				Runnable::run);
		send("in time", CallKind.HEARTBEAT, 2);
		priority.set(new Priority(CallKind.HUNG_HEARTBEAT, Long.MAX_VALUE));
		answer("a");
		assertThat(this.underWay).containsOnlyKeys("b", "c", "in time");
		answer("b");
		assertThat(this.underWay).containsOnlyKeys("c", "in time", "too late");
	}

	@Test
	void aCallThatIsNotWantedAnyMoreLeavesItsSlot() {
		send("a", "b", "c");
		this.queue.send(
				new TestCall("never", () -> new Priority(CallKind.HEARTBEAT), (answer) -> this.answered.add("never")) {

					@Override
					public Step.@Nullable Call next() {
						return null;
					}

				}, Runnable::run);
		send("d");
		answer("a");
		assertThat(this.underWay).containsOnlyKeys("b", "c", "d");
		assertThat(this.answered).containsExactly("a");
	}

	@Test
	void aCallThatIsWithdrawnWhileItWaitsTakesNoThread() {
		send("a", "b", "c");
		List<Runnable> threads = new ArrayList<>();
		this.queue.send(new TestCall("withdrawn", () -> new Priority(CallKind.HEARTBEAT),
				(answer) -> this.answered.add("withdrawn")) {

			@Override
			public boolean isWithdrawn() {
				return true;
			}

		}, threads::add);
		send("d");
		answer("a");
		assertThat(this.underWay).containsOnlyKeys("b", "c", "d");
		assertThat(threads).isEmpty();
		assertThat(this.answered).containsExactly("a");
	}

	@Test
	void aCallThatCannotBeSentIsAnsweredAndLeavesItsSlot() {
		CallQueue broken = CallQueue.ofCalls(this::begin, 1);
		Executor noThread = (call) -> {
			throw new OutOfMemoryError("thrown by the test");
		};
		for (int i = 0; i < 100_000; i++) {
			String name = "call-" + i;
			broken.send(call(name, (answer) -> this.answered.add(name)), noThread);
		}
		assertThat(this.answered).hasSize(100_000);
	}

	@Test
	void aCallWhoseAnswerCannotBeTakenIsAnsweredOnceAndKeepsNoSlot() {
		AtomicInteger sent = new AtomicInteger();
		CallQueue refusing = CallQueue.ofCalls((call, answered) -> {
			if (sent.incrementAndGet() == 1) {
				answered.accept(ANSWER);
			}
		}, 1);
		refusing.send(call("fails", (answer) -> {
			this.answered.add("fails");
			throw new IllegalStateException("thrown by the test");
		}), Runnable::run);
		assertThat(this.answered).containsExactly("fails");
		refusing.send(call("a", (answer) -> this.answered.add("a")), Runnable::run);
		refusing.send(call("b", (answer) -> this.answered.add("b")), Runnable::run);
		assertThat(sent).hasValue(2);
	}

	@Test
	void anyNumberOfCallsThatAreAnsweredAtOnceEnd() {
		List<Consumer<Answer>> held = new ArrayList<>();
		CallQueue one = CallQueue.ofCalls((call, answered) -> {
			if (held.isEmpty()) {
				held.add(answered);
			}
			else {
				answered.accept(ANSWER);
			}
		}, 1);
		for (int i = 0; i < 100_000; i++) {
			String name = "call-" + i;
			one.send(call(name, (answer) -> this.answered.add(name)), Runnable::run);
		}
		held.get(0).accept(ANSWER);
		assertThat(this.answered).hasSize(100_000);
	}

	@Test
	void aCallbackThatBlocksKeepsNoOtherThreadFromSending() {
		List<String> sent = new ArrayList<>();
		CallQueue queue = CallQueue.ofCalls((call, answered) -> {
			sent.add(((Step.Read) call).key().partition());
			answered.accept(ANSWER);
		}, 1);
		Runnable callback = () -> {
			CompletableFuture.runAsync(() -> queue.send(call("other", (answer) -> {
			}), Runnable::run)).join();
			assertThat(sent).containsExactly("first", "other");
			this.answered.add("first");
		};
		queue.send(call("first", (answer) -> {
			try (Callbacks.Work work = Callbacks.deferred()) {
				Callbacks.run(callback);
			}
		}), Runnable::run);
		assertThat(this.answered).containsExactly("first");
	}

	private void begin(Step.Call call, Consumer<Answer> answered) {
		this.underWay.put(((Step.Read) call).key().partition(), answered);
	}

	private void send(String... names) {
		for (String name : names) {
			send(name, CallKind.HEARTBEAT, 0);
		}
	}

	private void send(String name, CallKind kind, long dueBy) {
		this.queue.send(new TestCall(name, () -> new Priority(kind, dueBy), (answer) -> this.answered.add(name)),
				Runnable::run);
	}

	private void send(CallQueue queue, String name, CallKind kind) {
		queue.send(new TestCall(name, () -> new Priority(kind), (answer) -> this.answered.add(name)), Runnable::run);
	}

	private static TestCall call(String name, Consumer<Answer> answered) {
		return new TestCall(name, () -> new Priority(CallKind.RELEASE), answered);
	}

	private void answer(String... names) {
		for (String name : names) {
			Objects.requireNonNull(this.underWay.remove(name)).accept(ANSWER);
		}
	}

	private static class TestCall implements StoreCall {

		private final String name;

		private final Supplier<Priority> priority;

		private final Consumer<Answer> answered;

		TestCall(String name, Supplier<Priority> priority, Consumer<Answer> answered) {
			this.name = name;
			this.priority = priority;
			this.answered = answered;
		}

		@Override
		public Priority priority() {
			return this.priority.get();
		}

		@Override
		public Step.@Nullable Call next() {
			return new Step.Read(LockKey.of(this.name), false, 1);
		}

		@Override
		public void answered(Answer answer) {
			this.answered.accept(answer);
		}

	}

}

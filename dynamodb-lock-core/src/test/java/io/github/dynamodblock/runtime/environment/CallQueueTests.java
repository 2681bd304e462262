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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.StoreCalls.Priority;
import io.github.dynamodblock.runtime.environment.StoreCalls.Share;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallQueueTests {

	private static final Answer ANSWER = new Answer.Unknown(new IllegalStateException("the test's answer"));

	/** The calls that are under way, in the order in which they were sent. */
	private final Map<String, Consumer<Answer>> underWay = new LinkedHashMap<>();

	private final List<String> answered = new ArrayList<>();

	private final CallQueue queue = new CallQueue(this::begin, 3, 1);

	private final StoreCalls calls = this.queue.on(Runnable::run);

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
		send("late", 3, Share.ALL);
		send("early", 1, Share.ALL);
		send("middle", 2, Share.ALL);
		answer("a", "b", "c");
		assertThat(this.underWay.keySet()).containsExactly("early", "middle", "late");
	}

	@Test
	void callsThatMayHangLeaveSlotsToOthers() {
		send("hung", 1, Share.SOME);
		send("hung too", 2, Share.SOME);
		assertThat(this.underWay).containsOnlyKeys("hung");
		send("a", "b");
		assertThat(this.underWay).containsOnlyKeys("hung", "a", "b");
		answer("hung");
		assertThat(this.underWay).containsOnlyKeys("a", "b", "hung too");
	}

	@Test
	void eachKindOfCallLeavesSlotsToThoseBeforeItHoweverManyHang() {
		StoreCalls ten = new CallQueue(this::begin, 10, 8).on(Runnable::run);
		for (int i = 1; i <= 20; i++) {
			send(ten, "find " + i, Priority.READ);
		}
		assertThat(this.underWay).hasSize(8);
		for (int i = 1; i <= 20; i++) {
			send(ten, "write " + i, Priority.HOLDER);
		}
		assertThat(this.underWay).hasSize(9).containsKey("write 1");
		for (int i = 1; i <= 20; i++) {
			send(ten, "release " + i, Priority.URGENT);
		}
		assertThat(this.underWay).hasSize(10).containsKey("release 1");
	}

	@Test
	void releasesGoBeforeGuardedWritesThoseBeforeReadsAndAcquisitionsLast() {
		StoreCalls one = new CallQueue(this::begin, 1, 1).on(Runnable::run);
		send(one, "first", Priority.LAST);
		send(one, "acquire", Priority.LAST);
		send(one, "find", Priority.READ);
		send(one, "write", Priority.HOLDER);
		send(one, "release", Priority.URGENT);
		answer("first", "release", "write", "find", "acquire");
		assertThat(this.answered).containsExactly("first", "release", "write", "find", "acquire");
	}

	@Test
	void aCallThatMayHangAndIsDueFirstIsSentFirst() {
		send("a", "b", "c");
		send("due later", 3, Share.ALL);
		send("hung", 2, Share.SOME);
		send("hung too", 2, Share.SOME);
		answer("a");
		assertThat(this.underWay).containsOnlyKeys("b", "c", "hung");
		answer("b");
		assertThat(this.underWay).containsOnlyKeys("c", "hung", "due later");
	}

	@Test
	void aCallThatFallsBackWhileItWaitsLetsOthersPass() {
		send("a", "b", "c");
		AtomicReference<Priority> priority = new AtomicReference<>(new Priority(1, Share.ALL));
		this.calls.send(new StoreCalls.Source() {

			@Override
			public Step.Call next() {
				return new Step.Read(LockKey.of("too late"), false, 1);
			}

			@Override
			public Priority priority() {
				return priority.get();
			}

		}, (answer) -> this.answered.add("too late"));
		send("in time", 2, Share.ALL);
		priority.set(Priority.LAST);
		answer("a");
		assertThat(this.underWay).containsOnlyKeys("b", "c", "in time");
		answer("b");
		assertThat(this.underWay).containsOnlyKeys("c", "in time", "too late");
	}

	@Test
	void aCallThatIsNotWantedAnyMoreLeavesItsSlot() {
		send("a", "b", "c");
		this.calls.send(() -> null, (answer) -> this.answered.add("never"));
		send("d");
		answer("a");
		assertThat(this.underWay).containsOnlyKeys("b", "c", "d");
		assertThat(this.answered).containsExactly("a");
	}

	@Test
	void aCallThatCannotBeSentIsAnsweredAndLeavesItsSlot() {
		StoreCalls broken = new CallQueue(this::begin, 1, 1).on((call) -> {
			throw new OutOfMemoryError("thrown by the test");
		});
		for (int i = 0; i < 100_000; i++) {
			String name = "call-" + i;
			broken.send(source(name, Priority.URGENT), (answer) -> this.answered.add(name));
		}
		assertThat(this.answered).hasSize(100_000);
	}

	@Test
	void aCallWhoseAnswerCannotBeTakenIsAnsweredOnceAndKeepsNoSlot() {
		AtomicInteger sent = new AtomicInteger();
		StoreCalls refusing = new CallQueue((call, answered) -> {
			if (sent.incrementAndGet() == 1) {
				answered.accept(ANSWER);
			}
		}, 1, 1).on(Runnable::run);
		refusing.send(source("fails", Priority.URGENT), (answer) -> {
			this.answered.add("fails");
			throw new IllegalStateException("thrown by the test");
		});
		assertThat(this.answered).containsExactly("fails");
		refusing.send(source("a", Priority.URGENT), (answer) -> this.answered.add("a"));
		refusing.send(source("b", Priority.URGENT), (answer) -> this.answered.add("b"));
		assertThat(sent).hasValue(2);
	}

	@Test
	void anyNumberOfCallsThatAreAnsweredAtOnceEnd() {
		List<Consumer<Answer>> held = new ArrayList<>();
		StoreCalls one = new CallQueue((call, answered) -> {
			if (held.isEmpty()) {
				held.add(answered);
			}
			else {
				answered.accept(ANSWER);
			}
		}, 1, 1).on(Runnable::run);
		for (int i = 0; i < 100_000; i++) {
			String name = "call-" + i;
			one.send(source(name, Priority.URGENT), (answer) -> this.answered.add(name));
		}
		held.get(0).accept(ANSWER);
		assertThat(this.answered).hasSize(100_000);
	}

	@Test
	void aCallbackThatBlocksKeepsNoOtherThreadFromSending() {
		List<String> sent = new ArrayList<>();
		StoreCalls queue = new CallQueue((call, answered) -> {
			sent.add(((Step.Read) call).key().partition());
			answered.accept(ANSWER);
		}, 1, 1).on(Runnable::run);
		Runnable callback = () -> {
			CompletableFuture.runAsync(() -> queue.send(source("other", Priority.URGENT), (answer) -> {
			})).join();
			assertThat(sent).containsExactly("first", "other");
			this.answered.add("first");
		};
		queue.send(source("first", Priority.URGENT),
				(answer) -> Callbacks.deferredDuring(() -> Callbacks.run(callback)));
		assertThat(this.answered).containsExactly("first");
	}

	private void begin(Step.Call call, Consumer<Answer> answered) {
		this.underWay.put(((Step.Read) call).key().partition(), answered);
	}

	private void send(String... names) {
		for (String name : names) {
			send(name, 0, Share.ALL);
		}
	}

	private void send(String name, long dueBy, Share share) {
		send(this.calls, name, new Priority(dueBy, share));
	}

	private void send(StoreCalls calls, String name, Priority priority) {
		calls.send(source(name, priority), (answer) -> this.answered.add(name));
	}

	private void answer(String... names) {
		for (String name : names) {
			Objects.requireNonNull(this.underWay.remove(name)).accept(ANSWER);
		}
	}

	private static StoreCalls.Source source(String name, Priority priority) {
		return new StoreCalls.Source() {

			@Override
			public Step.@Nullable Call next() {
				return new Step.Read(LockKey.of(name), false, 1);
			}

			@Override
			public Priority priority() {
				return priority;
			}

		};
	}

}

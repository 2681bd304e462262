/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Randomness;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.call.OperationRunner;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.Timer;
import io.github.dynamodblock.store.LockStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever follows from a decision may run code of the application: a thread factory, an
 * executor, an interceptor of the SDK. So other threads can always reach the conversation
 * meanwhile.
 */
class OperationRunnerTests {

	private static final Step.Call CALL = new Step.Read(LockKey.of("k"), true, 1_000_000);

	private final List<Step.End> ends = new ArrayList<>();

	private @Nullable OperationRunner runner;

	private int reached;

	@Test
	void othersReachTheConversationWhileACallIsSent() {
		runner(CALL, new Step.Settled()).begin();
		assertThat(this.reached).isEqualTo(2);
		assertThat(this.ends).containsExactly(new Step.Settled());
	}

	@Test
	void othersReachTheConversationWhileATimerIsSet() {
		runner(new Step.Wait(5, null), new Step.Settled()).begin();
		// While it is set, while the wait is told, and at the end.
		assertThat(this.reached).isEqualTo(3);
		assertThat(this.ends).containsExactly(new Step.Settled());
	}

	@Test
	void othersReachTheConversationWhileItsEndIsTold() {
		runner(new Step.Settled()).begin();
		assertThat(this.reached).isEqualTo(1);
	}

	@Test
	void whatEndsWithAnErrorEndsForWhoeverWaitsForIt() {
		runner(() -> {
			throw new StackOverflowError("the test's conversation fails");
		}).begin();
		assertThat(this.ends).singleElement()
			.isInstanceOfSatisfying(Step.Failed.class,
					(failed) -> assertThat(failed.failure()).isInstanceOf(LockStoreException.class)
						.hasRootCauseInstanceOf(StackOverflowError.class));
	}

	private OperationRunner runner(Step... steps) {
		List<Step> left = new ArrayList<>(List.of(steps));
		return runner(() -> left.remove(0));
	}

	private OperationRunner runner(Decisions decisions) {
		Environment environment = new OnThisThread();
		OperationRunner runner = new OperationRunner(decisions, environment, CallKind.READ,
				(call) -> environment.send(call, null), (wait) -> reach(), (end) -> {
					reach();
					this.ends.add(end);
				});
		this.runner = runner;
		return runner;
	}

	/** Another thread asks the conversation something, and this one waits for it. */
	private void reach() {
		OperationRunner runner = this.runner;
		assertThat(runner).isNotNull();
		assertThat(CompletableFuture.supplyAsync(() -> runner.consult(() -> 1))).succeedsWithin(Duration.ofSeconds(30));
		this.reached++;
	}

	/**
	 * A conversation that decides the same whatever happens.
	 */
	private interface Decisions extends Operation {

		Step next();

		@Override
		default Step start(ClockReading now) {
			return next();
		}

		@Override
		default Step answered(Answer answer, ClockReading now) {
			return next();
		}

		@Override
		default Step wake(ClockReading now) {
			return next();
		}

	}

	/**
	 * Calls are answered and timers ring on the thread that asks for them.
	 */
	private final class OnThisThread implements Environment {

		private final VirtualTime time = new VirtualTime();

		@Override
		public ClockReading now() {
			return new ClockReading(0, 0, this.time.wallClock());
		}

		@Override
		public Randomness randomness() {
			throw new UnsupportedOperationException("nothing is random here");
		}

		@Override
		public Timer watch() {
			return (delay, task) -> {
				reach();
				task.run();
				return () -> {
				};
			};
		}

		@Override
		public Executor background() {
			return Runnable::run;
		}

		@Override
		public void send(StoreCall call, @Nullable Executor thread) {
			reach();
			assertThat(call.next()).isNotNull();
			call.answered(new Answer.Found(null));
		}

		@Override
		public LockStore store() {
			throw new UnsupportedOperationException("nothing is listed here");
		}

		@Override
		public Executor listeners() {
			return Runnable::run;
		}

		@Override
		public void close(Duration patience, Runnable abandoning) {
			// There is nothing to end.
		}

	}

}

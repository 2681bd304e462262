/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCalls;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps of an operation, one at a time, and passes on its end. Does not
 * block: calls and waits end on threads of the environment. Thread-safe.
 */
final class OperationRunner {

	private final Operation operation;

	private final Environment environment;

	private final StoreCalls calls;

	private final Consumer<Step.Wait> pause;

	private final Consumer<Step.End> end;

	// Guards the operation, which is not thread-safe. Only decisions are made inside:
	// what may block, or run code of the application, follows outside.
	private final Lock turn;

	/** The timer of the operation's current wait, once it is set. */
	private @Nullable CompletableFuture<Timer.Task> waiting;

	OperationRunner(Operation operation, Environment environment, StoreCalls calls, Consumer<Step.End> end) {
		this(operation, environment, calls, (wait) -> {
		}, end);
	}

	OperationRunner(Operation operation, Environment environment, StoreCalls calls, Consumer<Step.Wait> pause,
			Consumer<Step.End> end) {
		this.operation = operation;
		this.environment = environment;
		this.turn = environment.lock();
		this.calls = calls;
		this.pause = pause;
		this.end = end;
	}

	void begin() {
		goOn(() -> this.operation.start(this.environment.now()));
	}

	/**
	 * Accesses the operation between two of its decisions.
	 * @param <T> the type of the result
	 */
	<T extends @Nullable Object> T consult(Supplier<T> question) {
		this.turn.lock();
		try {
			return question.get();
		}
		finally {
			this.turn.unlock();
		}
	}

	/**
	 * Changes the operation. A wait ends at once; if a call is under way, the change
	 * takes effect with its answer.
	 */
	void interrupt(Runnable change) {
		consult(() -> {
			change.run();
			return null;
		});
		wake(null);
	}

	private void answered(Answer answer) {
		goOn(() -> this.operation.answered(answer, this.environment.now()));
	}

	/** Ends the current wait; if a wait is given, only that one. */
	@SuppressWarnings("FutureReturnValueIgnored") // the dependent throws nothing
	private void wake(@Nullable CompletableFuture<Timer.Task> which) {
		goOn(() -> {
			CompletableFuture<Timer.Task> present = this.waiting;
			if (present == null || (which != null && which != present)) {
				// It was interrupted, and its timer fires nevertheless.
				return null;
			}
			present.thenAccept(Timer.Task::cancel);
			return this.operation.wake(this.environment.now());
		});
	}

	private void goOn(Supplier<@Nullable Step> decision) {
		Callbacks.deferredDuring(() -> {
			Action action = consult(() -> decided(decision));
			if (action != null) {
				carryOut(action);
			}
		});
	}

	private Step.@Nullable Call sending(Step.Call call) {
		Step.Call sent = consult(() -> this.operation.sending(call, this.environment::now));
		if (sent == null) {
			goOn(() -> this.operation.wake(this.environment.now()));
		}
		return sent;
	}

	private @Nullable Action decided(Supplier<@Nullable Step> decision) {
		Step step;
		try {
			step = decision.get();
		}
		catch (Throwable ex) {
			// A defect must leave neither a caller waiting nor a turn taken.
			step = new Step.Failed(
					new LockStoreException("A lock operation failed unexpectedly, please report this: " + ex, ex));
		}
		if (step == null) {
			return null;
		}
		Action action = new Action(step, new CompletableFuture<>());
		this.waiting = (step instanceof Step.Wait) ? action.timer() : null;
		return action;
	}

	private void carryOut(Action action) {
		if (action.step() instanceof Step.Call call) {
			this.calls.send(() -> sending(call), this::answered);
		}
		else if (action.step() instanceof Step.Wait wait) {
			this.pause.accept(wait);
			long delay = wait.untilObserverNanos() - this.environment.now().observerNanos();
			action.timer().complete(this.environment.waits().schedule(delay, () -> wake(action.timer())));
		}
		else if (action.step() instanceof Step.End last) {
			this.end.accept(last);
		}
	}

	/**
	 * What follows from a decision.
	 *
	 * @param timer the timer of a wait, once that is set
	 */
	private record Action(Step step, CompletableFuture<Timer.Task> timer) {
	}

}

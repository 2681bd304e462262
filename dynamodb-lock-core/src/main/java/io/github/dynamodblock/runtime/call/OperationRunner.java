/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Operation;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.Callbacks;
import io.github.dynamodblock.runtime.environment.Environment;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps of an operation, one at a time, and reports its end. Does not
 * block: calls and waits end on threads of the environment. Thread-safe.
 */
public final class OperationRunner {

	private final Operation operation;

	private final Environment environment;

	private final StoreCall.Priority priority;

	private final Consumer<StoreCall> calls;

	private final Consumer<Step.Wait> pause;

	private final Consumer<Step.End> end;

	// Guards the operation, which is not thread-safe. Only decisions are made under this
	// lock, never anything that may block or run code of the application.
	private final Lock turn;

	/** The current wait. It is completed with its timer once the timer is set. */
	private @Nullable CompletableFuture<Timer.Task> waiting;

	/** The call that waits for its call slot. */
	private volatile @Nullable QueuedCall queued;

	/**
	 * @param thread makes the calls, or {@code null} for the client's threads
	 */
	public OperationRunner(Operation operation, Environment environment, CallKind kind, @Nullable Executor thread,
			Consumer<Step.End> end) {
		this(operation, environment, kind, (call) -> environment.send(call, thread), (wait) -> {
		}, end);
	}

	/**
	 * @param calls sends a call without blocking
	 * @param pause receives each wait
	 */
	public OperationRunner(Operation operation, Environment environment, CallKind kind, Consumer<StoreCall> calls,
			Consumer<Step.Wait> pause, Consumer<Step.End> end) {
		this.operation = operation;
		this.environment = environment;
		this.turn = environment.lock();
		this.priority = new StoreCall.Priority(kind);
		this.calls = calls;
		this.pause = pause;
		this.end = end;
	}

	public void begin() {
		goOn(() -> this.operation.start(this.environment.now()));
	}

	/** Accesses the operation between two decisions. */
	public <T extends @Nullable Object> T consult(Supplier<T> question) {
		this.turn.lock();
		try {
			return question.get();
		}
		finally {
			this.turn.unlock();
		}
	}

	/**
	 * Changes the operation. A wait ends at once. So does a call that has no call slot
	 * yet, unless the operation still wants it. If a call is in progress, the change
	 * takes effect with its answer.
	 */
	public void interrupt(Runnable change) {
		consult(() -> {
			change.run();
			return null;
		});
		goOn(() -> {
			QueuedCall call = this.queued;
			if (call == null) {
				return endWait(this.waiting);
			}
			boolean wanted = this.operation.sending(call.call, this.environment::now) != null;
			return wanted ? null : withdrawn(call);
		});
	}

	public void wake() {
		goOn(() -> endWait(this.waiting));
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the dependent throws nothing
	private @Nullable Step endWait(@Nullable CompletableFuture<Timer.Task> which) {
		if (which == null || which != this.waiting) {
			// The wait was interrupted, but its timer still fired.
			return null;
		}
		which.thenAccept(Timer.Task::cancel);
		return this.operation.wake(this.environment.now());
	}

	private void goOn(Supplier<@Nullable Step> decision) {
		try (Callbacks.Work work = Callbacks.deferred()) {
			Action action = consult(() -> decided(decision));
			if (action != null) {
				carryOut(action);
			}
		}
	}

	/** Returns the call to send, or {@code null} if the operation no longer wants it. */
	private Step.@Nullable Call begun(QueuedCall call) {
		Step.Call sent = call.isWithdrawn() ? null : this.operation.sending(call.call, this.environment::now);
		if (sent != null) {
			call.begun = true;
			this.queued = null;
		}
		return sent;
	}

	private @Nullable Step withdrawn(QueuedCall call) {
		if (call.isWithdrawn()) {
			return null;
		}
		this.queued = null;
		return this.operation.wake(this.environment.now());
	}

	private @Nullable Action decided(Supplier<@Nullable Step> decision) {
		Step step;
		try {
			step = decision.get();
		}
		catch (Throwable ex) {
			// A bug must not leave a caller waiting or a turn taken.
			step = new Step.Failed(
					new LockStoreException("A lock operation failed unexpectedly, please report this: " + ex, ex));
		}
		if (step == null) {
			return null;
		}
		QueuedCall call = (step instanceof Step.Call next) ? new QueuedCall(next) : null;
		CompletableFuture<Timer.Task> timer = (step instanceof Step.Wait) ? new CompletableFuture<>() : null;
		this.queued = call;
		this.waiting = timer;
		return new Action(step, call, timer);
	}

	private void carryOut(Action action) {
		if (action.call() != null) {
			this.calls.accept(action.call());
		}
		else if (action.step() instanceof Step.Wait wait && action.timer() != null) {
			CompletableFuture<Timer.Task> timer = action.timer();
			this.pause.accept(wait);
			long delay = wait.untilObserverNanos() - this.environment.now().observerNanos();
			timer.complete(this.environment.waits().schedule(delay, () -> goOn(() -> endWait(timer))));
		}
		else if (action.step() instanceof Step.End last) {
			this.end.accept(last);
		}
	}

	/**
	 * The effect of a decision.
	 *
	 * @param timer completed with the timer of the step, if it is a wait
	 */
	private record Action(Step step, @Nullable QueuedCall call, @Nullable CompletableFuture<Timer.Task> timer) {
	}

	private final class QueuedCall implements StoreCall {

		private final Step.Call call;

		private boolean begun;

		QueuedCall(Step.Call call) {
			this.call = call;
		}

		@Override
		public Priority priority() {
			return OperationRunner.this.priority;
		}

		@Override
		public boolean isWithdrawn() {
			return OperationRunner.this.queued != this;
		}

		@Override
		public Step.@Nullable Call next() {
			Step.Call sent = consult(() -> begun(this));
			if (sent == null) {
				goOn(() -> withdrawn(this));
			}
			return sent;
		}

		@Override
		public void answered(Answer answer) {
			// If no thread could make the call, it is still answered, unless it was
			// withdrawn.
			goOn(() -> (this.begun || !isWithdrawn())
					? OperationRunner.this.operation.answered(answer, OperationRunner.this.environment.now()) : null);
		}

	}

}

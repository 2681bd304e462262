/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.LockStoreException;
import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Conversation;
import io.github.dynamodblock.protocol.Step;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a conversation's steps, one at a time, and hands on its end. Blocks nobody:
 * calls and waits come back on threads of the environment. Thread-safe.
 */
final class ConversationRunner implements Step.Handler {

	private final Conversation conversation;

	private final Environment environment;

	private final StoreCalls calls;

	private final Consumer<Step.End> end;

	// Guards the conversation, which is not thread-safe. Nothing blocks inside, but for
	// the
	// first call of a release, which nobody else waits for.
	private final ReentrantLock turn = new ReentrantLock();

	private Timer.@Nullable Task waiting;

	ConversationRunner(Conversation conversation, Environment environment, StoreCalls calls, Consumer<Step.End> end) {
		this.conversation = conversation;
		this.environment = environment;
		this.calls = calls;
		this.end = end;
	}

	void begin() {
		locked(() -> next(() -> this.conversation.start(this.environment.now())));
	}

	/**
	 * Changes the conversation's mind. If it is waiting, it is woken; if a call is under
	 * way, the change takes effect with the answer.
	 * @param change what to tell the conversation
	 */
	void interrupt(Runnable change) {
		locked(() -> {
			change.run();
			if (this.waiting != null) {
				this.waiting.cancel();
				wake(this.waiting);
			}
		});
	}

	@Override
	public void call(Step.Call call) {
		this.calls.send(() -> call, this::answered);
	}

	@Override
	public void await(Step.Wait step) {
		long delay = step.untilObserverNanos() - this.environment.now().observerNanos();
		Wakeup wakeup = new Wakeup();
		this.waiting = wakeup;
		wakeup.task = this.environment.timer().schedule(delay, () -> locked(() -> wake(wakeup)));
	}

	@Override
	public void end(Step.End step) {
		this.end.accept(step);
	}

	private void answered(Answer answer) {
		locked(() -> next(() -> this.conversation.answered(answer, this.environment.now())));
	}

	private void wake(Timer.Task wakeup) {
		// A wait that was interrupted may wake all the same.
		if (this.waiting == wakeup) {
			this.waiting = null;
			next(() -> this.conversation.wake(this.environment.now()));
		}
	}

	private void next(Supplier<Step> decision) {
		Step step;
		try {
			step = decision.get();
		}
		catch (RuntimeException ex) {
			// A defect of ours must not leave a caller waiting for ever.
			step = new Step.Failed(
					new LockStoreException("A lock operation failed unexpectedly, please report this: " + ex, ex));
		}
		step.accept(this);
	}

	private void locked(Runnable action) {
		this.turn.lock();
		try {
			action.run();
		}
		finally {
			this.turn.unlock();
		}
	}

	private static final class Wakeup implements Timer.Task {

		private Timer.@Nullable Task task;

		@Override
		public void cancel() {
			if (this.task != null) {
				this.task.cancel();
			}
		}

	}

}

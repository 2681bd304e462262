/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.dynamodblock.protocol.Answer;
import io.github.dynamodblock.protocol.Step;
import io.github.dynamodblock.runtime.environment.CallKind;
import io.github.dynamodblock.runtime.environment.StoreCall;
import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the heartbeats and guarded writes of one held lock one at a time, since DynamoDB
 * cancels a transaction that meets another write to the same item. A call enters when it
 * has a slot and is about to be sent. A heartbeat therefore waits only for a guarded
 * write that is already sent, and only until that call's time limit, since the caller's
 * thread may get no CPU time. Thread-safe.
 */
final class ItemMutex {

	private final AtomicReference<Line> line = new AtomicReference<>(Line.FREE);

	private final Timer timer;

	ItemMutex(Timer timer) {
		this.timer = timer;
	}

	/**
	 * Sends a heartbeat, or a guarded write, behind which no heartbeat waits.
	 * @param calls sends a call once its turn may have come
	 */
	void send(StoreCall call, Consumer<StoreCall> calls) {
		new Turn(call, calls).begin();
	}

	/**
	 * The calls of one item.
	 *
	 * @param current the call that is under way, or {@code null}
	 * @param heartbeatFirst whether a heartbeat had to wait and has not been sent since
	 * @param waiting the calls that gave up their slots meanwhile
	 */
	private record Line(@Nullable Turn current, boolean heartbeatFirst, List<Turn> waiting) {

		static final Line FREE = new Line(null, false, List.of());

		boolean admits(Turn turn) {
			return this.current == null && (turn.heartbeat || !this.heartbeatFirst);
		}

		Line with(Turn turn) {
			if (admits(turn)) {
				return new Line(turn, this.heartbeatFirst && !turn.heartbeat, this.waiting);
			}
			List<Turn> all = new ArrayList<>(this.waiting);
			all.add(turn.heartbeat ? 0 : all.size(), turn);
			return new Line(this.current, this.heartbeatFirst || turn.heartbeat, List.copyOf(all));
		}

		/**
		 * The line without a call that has ended, and without the waiting call that is
		 * sent next.
		 */
		Line without(Turn turn, boolean entered) {
			boolean first = this.heartbeatFirst && (entered || !turn.heartbeat);
			return new Line(entered ? null : this.current, first,
					this.waiting.isEmpty() ? this.waiting : List.copyOf(this.waiting.subList(1, this.waiting.size())));
		}

	}

	/**
	 * A call that waits or is under way.
	 */
	private final class Turn implements StoreCall {

		private final StoreCall call;

		private final boolean heartbeat;

		private final Consumer<StoreCall> calls;

		private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

		private volatile long limitNanos = Step.Call.LONGEST_NANOS;

		Turn(StoreCall call, Consumer<StoreCall> calls) {
			this.call = call;
			this.heartbeat = call.priority().kind() != CallKind.HOLDER;
			this.calls = calls;
		}

		void begin() {
			this.calls.accept(this);
		}

		@Override
		public void answered(Answer answer) {
			// In this order: the consumer may send again, or take long.
			leave();
			this.call.answered(answer);
		}

		@Override
		public Priority priority() {
			return this.call.priority();
		}

		@Override
		public Step.@Nullable Call next() {
			Line before = Objects.requireNonNull(ItemMutex.this.line.getAndUpdate((line) -> line.with(this)));
			if (!before.admits(this)) {
				Turn current = before.current();
				if (this.heartbeat && current != null) {
					ItemMutex.this.timer.schedule(current.limitNanos, current::leave);
				}
				return null;
			}
			this.stage.set(Stage.ENTERED);
			Step.Call call = null;
			try {
				call = this.call.next();
			}
			finally {
				if (call == null) {
					leave();
				}
				else {
					this.limitNanos = call.limitNanos();
				}
			}
			return call;
		}

		/** Ends the call. If no thread could send it, it has not entered. */
		private void leave() {
			Stage stage = this.stage.getAndSet(Stage.LEFT);
			if (stage == Stage.LEFT) {
				return;
			}
			boolean entered = stage == Stage.ENTERED;
			Line before = Objects
				.requireNonNull(ItemMutex.this.line.getAndUpdate((line) -> line.without(this, entered)));
			if (!before.waiting().isEmpty()) {
				before.waiting().get(0).begin();
			}
		}

	}

	/** The stages of a call: its turn has not come, has come, or is over. */
	private enum Stage {

		WAITING, ENTERED, LEFT

	}

}

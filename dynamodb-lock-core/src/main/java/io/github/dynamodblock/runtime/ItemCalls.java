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
import io.github.dynamodblock.runtime.environment.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Sends the heartbeats and guarded writes of one held lock one at a time, since DynamoDB
 * cancels a transaction that meets another write to the same item. A call enters when it
 * has a slot and is about to be sent, so that a heartbeat waits for the answer to a
 * guarded write, but for none that is not sent yet. Thread-safe.
 */
final class ItemCalls {

	private final AtomicReference<Line> line = new AtomicReference<>(Line.FREE);

	/** Sends a heartbeat. */
	void sendHeartbeat(StoreCalls calls, StoreCalls.Source source, Consumer<Answer> answered) {
		new Turn(true, calls, source, answered).begin();
	}

	/** The calls of guarded writes, which let a heartbeat that waits pass. */
	StoreCalls behindHeartbeats(StoreCalls calls) {
		return (source, answered) -> new Turn(false, calls, source, answered).begin();
	}

	/**
	 * The calls of one item.
	 *
	 * @param occupied whether a call is under way
	 * @param heartbeatFirst whether a heartbeat had to wait and has not been sent since
	 * @param waiting the calls that gave up their slots meanwhile
	 */
	private record Line(boolean occupied, boolean heartbeatFirst, List<Turn> waiting) {

		static final Line FREE = new Line(false, false, List.of());

		boolean admits(Turn turn) {
			return !this.occupied && (turn.heartbeat || !this.heartbeatFirst);
		}

		Line with(Turn turn) {
			if (admits(turn)) {
				return new Line(true, this.heartbeatFirst && !turn.heartbeat, this.waiting);
			}
			List<Turn> all = new ArrayList<>(this.waiting);
			all.add(turn.heartbeat ? 0 : all.size(), turn);
			return new Line(this.occupied, this.heartbeatFirst || turn.heartbeat, List.copyOf(all));
		}

		/** Without a call that has ended, and the one that is sent instead. */
		Line without(Turn turn, boolean entered) {
			boolean first = this.heartbeatFirst && (entered || !turn.heartbeat);
			return new Line(this.occupied && !entered, first,
					this.waiting.isEmpty() ? this.waiting : List.copyOf(this.waiting.subList(1, this.waiting.size())));
		}

	}

	/**
	 * A call that waits or is under way.
	 */
	private final class Turn implements StoreCalls.Source {

		private final boolean heartbeat;

		private final StoreCalls calls;

		private final StoreCalls.Source source;

		private final Consumer<Answer> answered;

		private volatile boolean entered;

		Turn(boolean heartbeat, StoreCalls calls, StoreCalls.Source source, Consumer<Answer> answered) {
			this.heartbeat = heartbeat;
			this.calls = calls;
			this.source = source;
			this.answered = answered;
		}

		void begin() {
			this.calls.send(this, (answer) -> {
				// In this order: the consumer may send again, or take long.
				leave();
				this.answered.accept(answer);
			});
		}

		@Override
		public Step.@Nullable Call next() {
			Line before = Objects.requireNonNull(ItemCalls.this.line.getAndUpdate((line) -> line.with(this)));
			if (!before.admits(this)) {
				return null;
			}
			this.entered = true;
			Step.Call call = null;
			try {
				call = this.source.next();
			}
			finally {
				if (call == null) {
					leave();
				}
			}
			return call;
		}

		/** Ends the call, which has not entered if no thread could send it. */
		private void leave() {
			boolean left = this.entered;
			this.entered = false;
			Line before = Objects.requireNonNull(ItemCalls.this.line.getAndUpdate((line) -> line.without(this, left)));
			if (!before.waiting().isEmpty()) {
				before.waiting().get(0).begin();
			}
		}

		@Override
		public StoreCalls.Priority priority() {
			return this.source.priority();
		}

	}

}

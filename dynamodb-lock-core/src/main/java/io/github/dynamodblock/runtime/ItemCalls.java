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
 * cancels a transaction that meets another write to the same item. A heartbeat comes
 * before the guarded writes that wait. Thread-safe.
 */
final class ItemCalls {

	/** The call under way, and behind it those that wait. */
	private final AtomicReference<List<Turn>> turns = new AtomicReference<>(List.of());

	/** Sends a heartbeat. */
	void sendHeartbeat(StoreCalls calls, StoreCalls.Source source, Consumer<Answer> answered) {
		enter(new Turn(calls, source, answered), 1);
	}

	/** The calls of guarded writes, which are served first in, first out. */
	StoreCalls behindHeartbeats(StoreCalls calls) {
		return (source, answered) -> enter(new Turn(calls, source, answered), Integer.MAX_VALUE);
	}

	private void enter(Turn turn, int place) {
		List<Turn> before = this.turns.getAndUpdate((waiting) -> {
			List<Turn> with = new ArrayList<>(waiting);
			with.add(Math.min(place, with.size()), turn);
			return List.copyOf(with);
		});
		if (before.isEmpty()) {
			turn.begin();
		}
	}

	private void leave() {
		List<Turn> after = Objects
			.requireNonNull(this.turns.updateAndGet((waiting) -> List.copyOf(waiting.subList(1, waiting.size()))));
		if (!after.isEmpty()) {
			after.get(0).begin();
		}
	}

	/**
	 * A call that waits or is under way.
	 */
	private final class Turn implements StoreCalls.Source {

		private final StoreCalls calls;

		private final StoreCalls.Source source;

		private final Consumer<Answer> answered;

		Turn(StoreCalls calls, StoreCalls.Source source, Consumer<Answer> answered) {
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

		@Override
		public StoreCalls.Priority priority() {
			return this.source.priority();
		}

	}

}

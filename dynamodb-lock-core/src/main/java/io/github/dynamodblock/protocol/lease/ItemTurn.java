/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import java.util.ArrayList;
import java.util.List;

import io.github.dynamodblock.protocol.ClockReading;
import io.github.dynamodblock.protocol.Nanos;
import org.jspecify.annotations.Nullable;

/**
 * Lets a heartbeat or a guarded write access the item, one at a time, because DynamoDB
 * cancels a transaction that meets another write to its item. A heartbeat waits only for
 * a call that was already sent. It waits no longer than that call may take, because the
 * calling thread may get no CPU time. The heartbeat then goes before waiting guarded
 * writes. All times are on the holder's clock. Immutable.
 *
 * @param current the call that was sent and is not answered, or {@code null}: the record
 * version number of a heartbeat, or the runnable of a guarded write
 * @param limitNanos how long that call may take
 * @param heartbeatWaitsUntil until when a heartbeat waits for that call;
 * {@link Nanos#NEVER} if none waits
 */
record ItemTurn(@Nullable Object current, long limitNanos, long heartbeatWaitsUntil, List<Runnable> waiting) {

	static final ItemTurn FREE = new ItemTurn(null, 0, Nanos.NEVER, List.of());

	ItemTurn heartbeatWaiting(ClockReading now) {
		long until = heartbeatWaits() ? this.heartbeatWaitsUntil : Nanos.later(now.holderNanos(), this.limitNanos);
		return new ItemTurn(this.current, this.limitNanos, until, this.waiting);
	}

	ItemTurn heartbeat(String version, long limitNanos) {
		return new ItemTurn(version, limitNanos, Nanos.NEVER, this.waiting);
	}

	/** Returns the state once a heartbeat is answered, or failed to be sent. */
	ItemTurn heartbeatAnswered(String version) {
		return new ItemTurn(this.current, this.limitNanos, Nanos.NEVER, this.waiting).without(version);
	}

	/** Returns the state once a guarded write is sent or has to wait. */
	ItemTurn writing(Runnable next, long limitNanos) {
		if (isFree()) {
			return new ItemTurn(next, limitNanos, Nanos.NEVER, this.waiting);
		}
		List<Runnable> all = new ArrayList<>(this.waiting);
		all.add(next);
		return new ItemTurn(this.current, this.limitNanos, this.heartbeatWaitsUntil, List.copyOf(all));
	}

	/**
	 * Returns the state once a call is answered. A late answer does not end another
	 * call's turn.
	 */
	ItemTurn without(@Nullable Object answered) {
		return (this.current == null || !this.current.equals(answered)) ? this
				: new ItemTurn(null, 0, this.heartbeatWaitsUntil, this.waiting);
	}

	boolean heartbeatWaits() {
		return this.heartbeatWaitsUntil != Nanos.NEVER;
	}

	/** When a waiting heartbeat is sent even without an answer to the current call. */
	long dueAt() {
		return (this.current != null) ? this.heartbeatWaitsUntil : Nanos.NEVER;
	}

	private boolean isFree() {
		return this.current == null && !heartbeatWaits();
	}

	/** The guarded write to send next, or {@code null}. */
	@Nullable Runnable next() {
		return (isFree() && !this.waiting.isEmpty()) ? this.waiting.get(0) : null;
	}

	ItemTurn withoutFirst(int writes) {
		return new ItemTurn(this.current, this.limitNanos, this.heartbeatWaitsUntil,
				List.copyOf(this.waiting.subList(writes, this.waiting.size())));
	}

}

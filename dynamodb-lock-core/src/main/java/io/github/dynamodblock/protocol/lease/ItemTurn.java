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
 * Whose turn it is to send a call for the item: a heartbeat or a guarded write, one at a
 * time, since DynamoDB cancels a transaction that meets another write to its item. A
 * heartbeat waits only for a call that was sent, and from then on no longer than that may
 * take, since the thread that makes it may get no CPU time. It then goes before the
 * guarded writes. All times are on the holder's clock. Immutable.
 *
 * @param current the record version number of the heartbeat, or what sends the guarded
 * write, that was sent and is not answered; or {@code null}
 * @param limitNanos how long that may take
 * @param heartbeatWaitsUntil until when a heartbeat that has not been sent waits for it;
 * {@link Nanos#NEVER} if none waits
 * @param waiting the guarded writes that had to wait, in order
 */
record ItemTurn(@Nullable Object current, long limitNanos, long heartbeatWaitsUntil, List<Runnable> waiting) {

	/** Nothing is under way. */
	static final ItemTurn FREE = new ItemTurn(null, 0, Nanos.NEVER, List.of());

	/** The state once a heartbeat has to wait. */
	ItemTurn heartbeatWaiting(ClockReading now) {
		long until = heartbeatWaits() ? this.heartbeatWaitsUntil : Nanos.later(now.holderNanos(), this.limitNanos);
		return new ItemTurn(this.current, this.limitNanos, until, this.waiting);
	}

	/** The state once a heartbeat is sent. */
	ItemTurn heartbeat(String version, long limitNanos) {
		return new ItemTurn(version, limitNanos, Nanos.NEVER, this.waiting);
	}

	/** The state once a heartbeat is answered, or could not be sent: another is due. */
	ItemTurn heartbeatAnswered(String version) {
		return new ItemTurn(this.current, this.limitNanos, Nanos.NEVER, this.waiting).without(version);
	}

	/** The state once a guarded write can be sent, or has to wait. */
	ItemTurn writing(Runnable next, long limitNanos) {
		if (isFree()) {
			return new ItemTurn(next, limitNanos, Nanos.NEVER, this.waiting);
		}
		List<Runnable> all = new ArrayList<>(this.waiting);
		all.add(next);
		return new ItemTurn(this.current, this.limitNanos, this.heartbeatWaitsUntil, List.copyOf(all));
	}

	/** The state once a call is answered; a late answer ends no other's turn. */
	ItemTurn without(@Nullable Object answered) {
		return (this.current == null || !this.current.equals(answered)) ? this
				: new ItemTurn(null, 0, this.heartbeatWaitsUntil, this.waiting);
	}

	boolean heartbeatWaits() {
		return this.heartbeatWaitsUntil != Nanos.NEVER;
	}

	/** When a heartbeat stops waiting for the call that is under way. */
	long dueAt() {
		return (this.current != null) ? this.heartbeatWaitsUntil : Nanos.NEVER;
	}

	private boolean isFree() {
		return this.current == null && !heartbeatWaits();
	}

	/** The guarded write that is sent next, if the item is free for it. */
	@Nullable Runnable next() {
		return (isFree() && !this.waiting.isEmpty()) ? this.waiting.get(0) : null;
	}

	/** The state once the first guarded writes no longer wait. */
	ItemTurn withoutFirst(int writes) {
		return new ItemTurn(this.current, this.limitNanos, this.heartbeatWaitsUntil,
				List.copyOf(this.waiting.subList(writes, this.waiting.size())));
	}

}

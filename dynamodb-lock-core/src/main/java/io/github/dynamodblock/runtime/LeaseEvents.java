/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockListener;
import io.github.dynamodblock.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * Reports one granted lock to listeners and to the log: its grant, then what happens to
 * it, and one end at most. A lock that its holder never received is not reported.
 * Thread-safe.
 */
final class LeaseEvents {

	/** The grant is not reported yet. */
	private static final End NOT_BEGUN = End.none();

	/** The grant is reported, and no end is. */
	private static final End BEGUN = End.none();

	/** Grant and end are reported. */
	private static final End REPORTED = End.none();

	private final HeldLock lock;

	private final ListenerDispatcher.Notifications notifications;

	private final LockLog log;

	/** One of the three above, or an end that waits for the grant to be reported. */
	private final AtomicReference<End> end = new AtomicReference<>(NOT_BEGUN);

	private final AtomicReference<@Nullable Failures> failures = new AtomicReference<>();

	LeaseEvents(HeldLock lock, ListenerDispatcher.Notifications notifications, LockLog log) {
		this.lock = lock;
		this.notifications = notifications;
		this.log = log;
	}

	/**
	 * Reports the grant, and the end if that came first.
	 */
	void begin() {
		this.notifications.send((listener) -> listener.onAcquired(this.lock));
		End early = Objects.requireNonNull(this.end.getAndUpdate((before) -> (before == NOT_BEGUN) ? BEGUN : REPORTED));
		if (early != NOT_BEGUN) {
			report(early);
		}
	}

	boolean hasBegun() {
		End reached = this.end.get();
		return reached == BEGUN || reached == REPORTED;
	}

	/**
	 * Reports how the lock ended, unless another end came before.
	 */
	void end(BiConsumer<LockListener, HeldLock> event) {
		end(new End(event, null));
	}

	/**
	 * Reports a loss, unless another end came before.
	 */
	void lost(LossReason reason) {
		end(new End((listener, held) -> listener.onLost(held, reason), reason));
	}

	private void end(End reached) {
		End before = this.end
			.getAndUpdate((present) -> (present == NOT_BEGUN) ? reached : (present == BEGUN) ? REPORTED : present);
		if (before == BEGUN) {
			report(reached);
		}
	}

	private void report(End reached) {
		this.notifications.sendLast((listener) -> reached.event.accept(listener, this.lock));
		if (reached.loss != null) {
			this.log.lost(this.lock, reached.loss, failures());
		}
	}

	void expiring() {
		send(LockListener::onExpiring);
		if (hasBegun()) {
			this.log.expiring(this.lock, failures());
		}
	}

	void recovered() {
		send(LockListener::onRecovered);
		if (hasBegun()) {
			this.log.recovered(this.lock);
		}
	}

	void renewed() {
		this.failures.set(null);
		send(LockListener::onRenewed);
	}

	void renewalFailed(Throwable cause) {
		this.failures.updateAndGet((before) -> new Failures((before != null) ? before.count() + 1 : 1, cause));
		send((listener, held) -> listener.onRenewalFailed(held, cause));
	}

	private void send(BiConsumer<LockListener, HeldLock> event) {
		if (hasBegun()) {
			this.notifications.send((listener) -> event.accept(listener, this.lock));
		}
	}

	private String failures() {
		Failures failed = this.failures.get();
		return (failed == null) ? ""
				: ". Heartbeats that failed: " + failed.count() + ". Last error: " + LockLog.text(failed.last());
	}

	/** Heartbeats that failed in a row. */
	private record Failures(int count, Throwable last) {
	}

	/**
	 * How the lock ended; compared by identity.
	 */
	private static final class End {

		private final BiConsumer<LockListener, HeldLock> event;

		private final @Nullable LossReason loss;

		End(BiConsumer<LockListener, HeldLock> event, @Nullable LossReason loss) {
			this.event = event;
			this.loss = loss;
		}

		static End none() {
			return new End((listener, lock) -> {
			}, null);
		}

	}

}

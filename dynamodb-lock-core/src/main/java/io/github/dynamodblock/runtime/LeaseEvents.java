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

	private final HeldLock lock;

	private final ListenerDispatcher.Notifications notifications;

	private final LockLog log;

	/** What is reported, or the report of an end that waits for that of the grant. */
	private final AtomicReference<Runnable> reported = new AtomicReference<>(Reported.NOTHING);

	private final AtomicReference<@Nullable Failures> failures = new AtomicReference<>();

	LeaseEvents(HeldLock lock, ListenerDispatcher.Notifications notifications, LockLog log) {
		this.lock = lock;
		this.notifications = notifications;
		this.log = log;
	}

	/** Reports the grant, and the end if that came first. */
	void begin() {
		this.notifications.send((listener) -> listener.onAcquired(this.lock));
		Objects
			.requireNonNull(this.reported
				.getAndUpdate((before) -> (before == Reported.NOTHING) ? Reported.GRANT : Reported.GRANT_AND_END))
			.run();
	}

	boolean hasBegun() {
		return this.reported.get() instanceof Reported reached && reached != Reported.NOTHING;
	}

	/** Reports how the lock ended, unless another end came before. */
	void end(BiConsumer<LockListener, HeldLock> event) {
		end(() -> this.notifications.sendLast((listener) -> event.accept(listener, this.lock)));
	}

	/** Reports a loss, unless another end came before. */
	void lost(LossReason reason) {
		end(() -> {
			this.notifications.sendLast((listener) -> listener.onLost(this.lock, reason));
			this.log.lost(this.lock, reason, failures());
		});
	}

	private void end(Runnable report) {
		Runnable before = this.reported.getAndUpdate((present) -> (present == Reported.NOTHING) ? report
				: (present == Reported.GRANT) ? Reported.GRANT_AND_END : present);
		if (before == Reported.GRANT) {
			report.run();
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

	private enum Reported implements Runnable {

		NOTHING, GRANT, GRANT_AND_END;

		@Override
		public void run() {
			// There is no report to make up for.
		}

	}

}

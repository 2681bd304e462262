/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.Printable;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what people on call want to know of a client and its locks: a line for each event,
 * and none for what goes as it should. A log that blocks or throws delays no lock, since
 * lines about locks are written where listeners are called. Thread-safe.
 */
final class LockLog {

	/** Logs nothing. */
	static final LockLog NONE = new LockLog(null);

	/** By the name that users know. */
	private static final Logger logger = LoggerFactory.getLogger(LockClient.class);

	private final @Nullable Executor executor;

	private final Queue<Runnable> lines = new ConcurrentLinkedQueue<>();

	private final AtomicInteger unwritten = new AtomicInteger();

	/**
	 * A log.
	 * @param executor where lines about locks are written, or {@code null} to log nothing
	 */
	LockLog(@Nullable Executor executor) {
		this.executor = executor;
	}

	/** A client has started; its table is at this place. */
	void started(ClientSettings settings, String place) {
		LeaseTerms lease = settings.lease();
		Duration holdAtMost = settings.holdAtMost();
		if (this.executor != null) {
			logger.info("Lock client '{}' started: table '{}' in {}, lease {}, heartbeat every {}{}",
					settings.ownerName(), settings.rules().tableName(), place, LogText.of(lease.leaseDuration()),
					LogText.of(lease.heartbeatPeriod()),
					(holdAtMost != null) ? ", locks held for at most " + LogText.of(holdAtMost) : "");
		}
	}

	/** A client has closed. */
	void closed(ClientSettings settings) {
		if (this.executor != null) {
			logger.info("Lock client '{}' closed", settings.ownerName());
		}
	}

	/** A lock was taken over from an owner that did not renew it for a time. */
	void takenOver(HeldLock lock, LockRecord previous, Duration silent) {
		Object before = previous.fencingToken().isPresent() ? previous.fencingToken().getAsLong() : "none";
		write(() -> logger.info(
				"Lock '{}' was taken over from '{}', which had not renewed it for {} (fencing token {}, before {})",
				lock.key(), Printable.of(previous.ownerName()), LogText.of(silent), lock.fencingToken(), before));
	}

	/** A lock will be lost soon; this is what its heartbeats ended with. */
	void expiring(HeldLock lock, String failures) {
		// A lease that is not renewed nears its end as intended.
		if (lock.isAutomaticallyRenewed()) {
			Duration left = lock.remaining();
			write(() -> logger.warn("Lock '{}' (fencing token {}) expires in {} unless a heartbeat succeeds{}",
					lock.key(), lock.fencingToken(), LogText.of(left), failures));
		}
	}

	/** A lock was renewed in time. */
	void recovered(HeldLock lock) {
		if (lock.isAutomaticallyRenewed()) {
			write(() -> logger.info("Lock '{}' (fencing token {}) was renewed in time: a heartbeat succeeded",
					lock.key(), lock.fencingToken()));
		}
	}

	/** A lock was lost; this is what its heartbeats ended with. */
	void lost(HeldLock lock, LossReason reason, String failures) {
		write(() -> {
			String loss = new LockLostException(lock.key(), reason, lock.fencingToken()).getMessage();
			if (reason == LossReason.CLOSED) {
				logger.warn("{}. Work that still runs under it is not protected", loss);
			}
			else {
				logger.error("{}. Another client may hold it while work still runs under it here{}", loss, failures);
			}
		});
	}

	/** One line after the other, so that many losses at once need one thread. */
	private void write(Runnable line) {
		if (this.executor == null) {
			return;
		}
		this.lines.add(line);
		if (this.unwritten.getAndIncrement() == 0) {
			try {
				this.executor.execute(this::writeAll);
			}
			catch (Throwable ex) {
				// A loss must not pass in silence, though the executor be full.
				writeAll();
			}
		}
	}

	private void writeAll() {
		do {
			try {
				this.lines.remove().run();
			}
			catch (Throwable ex) {
				// A log that throws must harm neither the lock nor the lines that follow.
				Thread thread = Thread.currentThread();
				thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
			}
		}
		while (this.unwritten.decrementAndGet() > 0);
	}

}

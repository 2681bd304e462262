/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.shared;

import java.time.Duration;
import java.util.concurrent.Executor;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.LossReason;
import io.github.dynamodblock.protocol.lease.Heartbeats;
import io.github.dynamodblock.protocol.lease.LeaseTerms;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what operators need to know about a client and its locks: one line for each event,
 * and none during normal operation. Lines about locks are written on the listeners'
 * executor, so a log that blocks or throws delays no lock. Thread-safe.
 */
public final class LockLog {

	public static final LockLog NONE = new LockLog(null);

	/** Users know this name, but not this class. */
	private static final Logger logger = LoggerFactory.getLogger(LockClient.class);

	/** One thread writes all lines, even if many locks are lost at once. */
	private final @Nullable TaskQueue lines;

	/**
	 * Creates a log.
	 * @param executor writes the lines about locks, or {@code null} to log nothing
	 */
	public LockLog(@Nullable Executor executor) {
		// A loss must be logged even if the executor rejects the task.
		this.lines = (executor != null) ? new TaskQueue(executor, (line, refusal) -> line.run()) : null;
	}

	public void started(ClientSettings settings, String place) {
		LeaseTerms lease = settings.lease();
		Duration holdAtMost = settings.holdAtMost();
		if (this.lines != null) {
			logger.info("Lock client '{}' started: table '{}' in {}, lease {}, heartbeat every {}{}",
					settings.ownerName(), settings.rules().tableName(), place, LogText.of(lease.leaseDuration()),
					LogText.of(lease.heartbeatPeriod()),
					(holdAtMost != null) ? ", locks held for at most " + LogText.of(holdAtMost) : "");
		}
	}

	public void closed(ClientSettings settings) {
		if (this.lines != null) {
			logger.info("Lock client '{}' closed", settings.ownerName());
		}
	}

	public void takenOver(HeldLock lock, LockRecord previous, Duration silent) {
		Object before = previous.fencingToken().isPresent() ? previous.fencingToken().getAsLong() : "none";
		write(() -> logger.info(
				"Lock '{}' was taken over from '{}', which had not renewed it for {} (fencing token {}, previously {})",
				lock.key(), LogText.of(previous.ownerName()), LogText.rounded(silent), lock.fencingToken(), before));
	}

	public void expiring(HeldLock lock, Heartbeats heartbeats) {
		// A lease without automatic renewal approaches its end as intended.
		if (lock.isAutomaticallyRenewed()) {
			Duration left = lock.remaining();
			write(() -> logger.warn("Lock '{}' (fencing token {}) expires in {} unless a heartbeat succeeds{}",
					lock.key(), lock.fencingToken(), LogText.rounded(left), failures(heartbeats)));
		}
	}

	public void recovered(HeldLock lock) {
		if (lock.isAutomaticallyRenewed()) {
			write(() -> logger.info("Lock '{}' (fencing token {}) was renewed in time: a heartbeat succeeded",
					lock.key(), lock.fencingToken()));
		}
	}

	public void lost(HeldLock lock, LossReason reason, Heartbeats heartbeats) {
		write(() -> {
			String loss = new LockLostException(lock.key(), reason, lock.fencingToken()).getMessage();
			if (reason == LossReason.CLOSED) {
				logger.warn("{}. Work that still runs under it is not protected", loss);
			}
			else {
				logger.error("{}. Another client may hold it while this process still works under it{}", loss,
						failures(heartbeats));
			}
		});
	}

	void listenerTooSlow(String listener, int waiting) {
		write(() -> logger.warn("Listener {} is too slow: {} callbacks wait for it. Until it has caught up, it is not "
				+ "notified of heartbeats, nor of locks that are requested from now on", listener, waiting));
	}

	void listenerCaughtUp(String listener, int dropped) {
		write(() -> logger.warn("Listener {} has caught up; {} callbacks were dropped in the meantime", listener,
				dropped));
	}

	public void abandoned(String listener, int callbacks) {
		write(() -> logger.warn("Listener {} blocked while the lock client closed: {} callbacks were dropped", listener,
				callbacks));
	}

	private static String failures(Heartbeats heartbeats) {
		Throwable last = heartbeats.cause();
		return (last == null) ? "" : ". Failed heartbeats: " + heartbeats.failures() + ". Last error: " + text(last);
	}

	private void write(Runnable line) {
		if (this.lines != null) {
			this.lines.add(line);
		}
	}

	/** Returns a failure in one line, with its type if the message may not be enough. */
	public static String text(Throwable failure) {
		return (failure instanceof LockException) ? String.valueOf(failure.getMessage()) : failure.toString();
	}

	/** Logs a failed release whose caller does not receive the failure. */
	public static void unreleased(LockKey key, Throwable failure) {
		logger.warn("Lock '{}' could not be released: {}", key, text(failure));
		logger.debug("Stack trace of the failed release", failure);
	}

}

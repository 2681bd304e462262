/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls several listeners. Exceptions of a listener are logged. Thread-safe.
 *
 * @param listeners the listeners, in order
 */
public record JobListeners(List<JobListener> listeners) implements JobListener {

	private static final Logger logger = LoggerFactory.getLogger(JobListeners.class);

	@Override
	public void onLedger(LockedJob job, JobLedger ledger) {
		notify((listener) -> listener.onLedger(job, ledger));
	}

	@Override
	public void onStarted(JobRun run) {
		notify((listener) -> listener.onStarted(run));
	}

	@Override
	public void onFinished(JobRun run, Duration duration, @Nullable Throwable failure) {
		notify((listener) -> listener.onFinished(run, duration, failure));
	}

	@Override
	public void onCrashed(JobRun run, boolean rerun) {
		notify((listener) -> listener.onCrashed(run, rerun));
	}

	@Override
	public void onMissed(LockedJob job, List<Instant> ticks, boolean runOnce) {
		notify((listener) -> listener.onMissed(job, ticks, runOnce));
	}

	private void notify(Consumer<JobListener> call) {
		for (JobListener listener : this.listeners) {
			try {
				call.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.warn("A listener of jobs failed: {}", listener, ex);
			}
		}
	}

}

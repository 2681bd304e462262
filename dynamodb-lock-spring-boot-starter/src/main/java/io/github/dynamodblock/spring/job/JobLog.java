/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what operators need to know of jobs. Thread-safe.
 */
public final class JobLog implements JobListener {

	private static final Logger logger = LoggerFactory.getLogger(JobLog.class);

	@Override
	public void onStarted(JobRun run) {
		logger.debug("Started {}", run);
	}

	@Override
	public void onFinished(JobRun run, Duration duration, @Nullable Throwable failure) {
		logger.debug("{} {} after {} ms", (failure == null) ? "Finished" : "Failed", run, duration.toMillis());
	}

	@Override
	public void onCrashed(JobRun run, boolean rerun) {
		logger.warn("Crashed: {}. Its node ended, or lost the lock, before the run finished. {}", run,
				rerun ? "This node runs the tick again" : "It is not run again");
	}

	@Override
	public void onMissed(LockedJob job, List<Instant> ticks, boolean runOnce) {
		logger.warn(
				"Missed ticks of {}: {}, from {} to {}. No node was up, the job was paused, or a run took longer. {}",
				job, ticks.size(), ticks.get(0), ticks.get(ticks.size() - 1),
				runOnce ? "The job runs once for them" : "They are skipped");
	}

}

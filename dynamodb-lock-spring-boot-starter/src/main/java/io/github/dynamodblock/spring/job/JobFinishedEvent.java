/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Reports that a run of a job has ended on this node.
 *
 * @param job the job
 * @param tick the scheduled time, as in {@link JobStartedEvent}
 * @param attempt the attempt, from 1
 * @param duration how long its body took
 * @param outcome how the run ended
 * @param failure the body's exception; empty if there is none
 */
public record JobFinishedEvent(LockedJob job, Instant tick, int attempt, Duration duration, JobOutcome outcome,
		Optional<Throwable> failure) implements JobEvent {
}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;

/**
 * Reports that a run of a job has started on this node.
 *
 * @param job the job
 * @param tick the scheduled time: the nominal fire time of a cron expression, or with a
 * fixed rate or delay, when the first attempt was claimed
 * @param attempt the attempt, from 1
 * @param rerun whether the body has started for this tick before, on a node that crashed
 * or was shut down
 */
public record JobStartedEvent(LockedJob job, Instant tick, int attempt, boolean rerun) implements JobEvent {
}

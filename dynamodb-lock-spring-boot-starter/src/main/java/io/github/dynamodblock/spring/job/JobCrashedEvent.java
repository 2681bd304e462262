/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;

/**
 * Reports that a run of a job crashed: its node died, or lost the lock, before it
 * recorded an end. Published once, by the node that claims the lock next.
 *
 * @param job the job
 * @param tick the tick of the run
 * @param rerun whether this node reruns the tick
 */
public record JobCrashedEvent(LockedJob job, Instant tick, boolean rerun) implements JobEvent {
}

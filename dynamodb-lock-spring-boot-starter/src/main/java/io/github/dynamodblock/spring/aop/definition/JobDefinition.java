/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.job.JobSchedule;
import org.jspecify.annotations.Nullable;

/**
 * The job options in the annotations of a method. Immutable.
 *
 * @param schedule when the job is due; {@code null} without {@code @Scheduled}, if
 * {@link io.github.dynamodblock.spring.job.LockedJobs#tick} supplies the schedule for
 * each call
 * @param attempts how often a tick may run if its nodes crash
 * @param onMissed what happens to missed ticks
 * @param scheduler the name of the scheduler that runs the job; empty for the default one
 */
public record JobDefinition(@Nullable JobSchedule schedule, int attempts, OnMissed onMissed, String scheduler) {
}

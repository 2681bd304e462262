/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What this node knows of one job, and its plan. Thread-safe.
 */
final class JobState {

	final LockedJob job;

	final JobExecutor executor;

	volatile JobRecord seen = JobRecord.NONE;

	/** The tick of the scheduler's last call. */
	volatile @Nullable Instant wanted;

	/** Whether DynamoDB did not answer the last start. */
	volatile boolean failing;

	private final AtomicReference<@Nullable Plan> plan = new AtomicReference<>();

	JobState(LockedJob job, JobExecutor executor) {
		this.job = job;
		this.executor = executor;
	}

	Optional<Instant> wanted() {
		return Optional.ofNullable(this.wanted);
	}

	/** Replaces the plan, of which there is one. */
	void plan(Function<Runnable, Runnable> schedule, Runnable action) {
		Plan next = new Plan();
		Plan before = this.plan.getAndSet(next);
		if (before != null) {
			before.cancel.run();
		}
		Runnable cancel = schedule.apply(() -> {
			if (this.plan.compareAndSet(next, null)) {
				action.run();
			}
		});
		next.cancel = cancel;
		if (this.plan.get() != next) {
			cancel.run();
		}
	}

	void cancel() {
		Plan before = this.plan.getAndSet(null);
		if (before != null) {
			before.cancel.run();
		}
	}

	private static final class Plan {

		private volatile Runnable cancel = () -> {
		};

	}

}

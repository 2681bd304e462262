/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.function.BooleanSupplier;

import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;

import org.springframework.context.SmartLifecycle;

/**
 * Lets jobs that were interrupted or missed run again once the context has started, and
 * ends their watches when it closes. Thread-safe.
 */
final class LockedJobsLifecycle implements SmartLifecycle {

	private final ScheduledJobs jobs;

	private final BooleanSupplier scheduling;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param jobs the jobs
	 * @param scheduling whether this node schedules methods; without that, it reruns none
	 */
	LockedJobsLifecycle(ScheduledJobs jobs, BooleanSupplier scheduling) {
		this.jobs = jobs;
		this.scheduling = scheduling;
	}

	@Override
	public void start() {
		this.running = true;
		if (this.scheduling.getAsBoolean()) {
			this.jobs.open();
		}
	}

	@Override
	public void stop() {
		this.jobs.close();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}

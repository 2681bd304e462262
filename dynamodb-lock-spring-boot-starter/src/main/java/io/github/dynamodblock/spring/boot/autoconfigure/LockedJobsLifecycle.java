/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;
import io.github.dynamodblock.spring.job.LockedJob;

import org.springframework.context.SmartLifecycle;

/**
 * Lets jobs that were interrupted or missed run again once the context has started, and
 * ends their watches when it closes. Thread-safe.
 */
final class LockedJobsLifecycle implements SmartLifecycle {

	private final ScheduledJobs jobs;

	private final BooleanSupplier scheduling;

	private final Consumer<List<LockedJob>> report;

	private volatile boolean reported;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param jobs the jobs
	 * @param scheduling whether this node schedules methods; without that, it reruns none
	 * @param report checks the jobs when they are first started
	 */
	LockedJobsLifecycle(ScheduledJobs jobs, BooleanSupplier scheduling, Consumer<List<LockedJob>> report) {
		this.jobs = jobs;
		this.report = report;
		this.scheduling = scheduling;
	}

	@Override
	public void start() {
		this.running = true;
		this.jobs.reopen();
		if (this.scheduling.getAsBoolean()) {
			if (!this.reported) {
				this.reported = true;
				this.report.accept(this.jobs.all().all());
			}
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

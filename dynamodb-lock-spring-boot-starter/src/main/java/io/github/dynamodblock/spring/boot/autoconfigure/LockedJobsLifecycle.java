/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.util.function.BooleanSupplier;

import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Lets jobs that were interrupted or missed run again once the context has started, and
 * lets none start from when it begins to close. Thread-safe.
 */
class LockedJobsLifecycle implements SmartLifecycle, ApplicationContextAware, ApplicationListener<ContextClosedEvent> {

	private final ScheduledJobs jobs;

	private final BooleanSupplier scheduling;

	private volatile @Nullable ApplicationContext context;

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
	public void setApplicationContext(ApplicationContext context) {
		this.context = context;
	}

	/** Long before the lifecycle stops: web requests may be awaited first. */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.jobs.stopStarting();
		}
	}

	@Override
	public void start() {
		this.running = true;
		this.jobs.reopen();
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

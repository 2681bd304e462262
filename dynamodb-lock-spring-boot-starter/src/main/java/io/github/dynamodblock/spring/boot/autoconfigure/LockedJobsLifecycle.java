/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.spring.aop.invocation.ScheduledJobs;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/**
 * Lets jobs that were interrupted or missed run again once the context has started, and
 * lets none start from when it begins to close. It is destroyed after the schedulers,
 * which interrupt runs that are still under way, and before the lock clients, with which
 * these runs record that. Thread-safe.
 */
class LockedJobsLifecycle implements SmartLifecycle, DisposableBean, ApplicationListener<ContextClosedEvent> {

	/** The name of this bean. */
	static final String NAME = "lockedJobsLifecycle";

	/** How long an interrupted run may take to end. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final ScheduledJobs jobs;

	private final ConfigurableListableBeanFactory beanFactory;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param jobs the jobs
	 * @param beanFactory has the schedulers and lock clients
	 */
	LockedJobsLifecycle(ScheduledJobs jobs, ConfigurableListableBeanFactory beanFactory) {
		this.jobs = jobs;
		this.beanFactory = beanFactory;
	}

	/** Long before the lifecycle stops: web requests may be awaited first. */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext().getAutowireCapableBeanFactory() == this.beanFactory) {
			this.jobs.stopStarting();
		}
	}

	@Override
	public void start() {
		this.running = true;
		this.jobs.reopen();
		// Without methods that are scheduled on this node, it reruns none.
		if (names(ScheduledTaskHolder.class).length > 0) {
			this.jobs.open();
		}
		for (Class<?> scheduler : List.of(TaskScheduler.class, ScheduledExecutorService.class)) {
			for (String dependent : names(scheduler)) {
				this.beanFactory.registerDependentBean(NAME, dependent);
			}
		}
		for (String client : names(LockClient.class)) {
			this.beanFactory.registerDependentBean(client, NAME);
		}
	}

	private String[] names(Class<?> type) {
		return this.beanFactory.getBeanNamesForType(type, true, false);
	}

	@Override
	public void stop() {
		this.jobs.close();
		this.running = false;
	}

	@Override
	public void destroy() {
		this.jobs.awaitRuns(PATIENCE);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.jobs.node;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.github.dynamodblock.verification.harness.Reporter;
import io.github.dynamodblock.spring.ScheduledLock;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.cloud.context.config.annotation.RefreshScope;
import org.springframework.cloud.context.scope.refresh.RefreshScopeRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A job whose schedule is a property that changes while the node runs.
 */
@RefreshScope
public class RefreshedJob implements DisposableBean {

	/** The name of the job. */
	public static final String NAME = "refreshed";

	private static final Duration TIME = Duration.ofMillis(1_500);

	private static final AtomicLong BEANS = new AtomicLong();

	private final long number = BEANS.incrementAndGet();

	private final Body body;

	private final Reporter reporter;

	RefreshedJob(Body body, Reporter reporter) {
		this.body = body;
		this.reporter = reporter;
	}

	/**
	 * Runs the job.
	 * @throws InterruptedException if the node stops meanwhile
	 */
	@Scheduled(cron = "${trial.cron}", zone = "UTC")
	@ScheduledLock(NAME)
	public void run() throws InterruptedException {
		this.body.run(NAME, this.number, TIME);
	}

	/**
	 * Creates the new bean: the scope itself would wait until the bean is used.
	 * @param event the refresh
	 */
	@EventListener
	public void recreate(RefreshScopeRefreshedEvent event) {
	}

	@Override
	public void destroy() {
		this.reporter.report(TrialNode.DESTROYED, NAME, this.number);
	}

}

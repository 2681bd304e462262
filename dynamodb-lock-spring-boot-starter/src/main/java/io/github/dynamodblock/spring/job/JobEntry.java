/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * All that this node knows about a job: the beans that have it, its record, the
 * scheduler's calls, and the planned action. Thread-safe.
 */
final class JobEntry {

	/**
	 * The beans in the order in which they came, each with the job as its annotations
	 * declare it.
	 */
	private final Map<JobExecutor, LockedJob> beans = new LinkedHashMap<>();

	/** The job of the latest bean, even if that has been destroyed. */
	private volatile LockedJob job;

	/** The latest bean that has not been destroyed. */
	private volatile @Nullable JobExecutor executor;

	private volatile JobRecord seen = JobRecord.NONE;

	/** Whether the record, as this node last saw it, requires no action. */
	private volatile boolean settled;

	/** The tick of the scheduler's last call; {@code null} if that had none. */
	private volatile @Nullable Instant wanted;

	/** The latest tick for which the scheduler has called. */
	private volatile @Nullable Instant called;

	/** Cancels the planned action; {@code null} if there is none. */
	private @Nullable Runnable plan;

	private int plans;

	JobEntry(LockedJob job) {
		this.job = job;
	}

	synchronized void add(LockedJob declared, JobExecutor bean) {
		this.beans.put(bean, declared);
		choose();
	}

	synchronized void remove(JobExecutor bean) {
		this.beans.remove(bean);
		choose();
	}

	private void choose() {
		JobExecutor latest = null;
		LockedJob declared = this.job;
		for (Map.Entry<JobExecutor, LockedJob> bean : this.beans.entrySet()) {
			latest = bean.getKey();
			declared = bean.getValue();
		}
		if (!declared.schedule().equals(this.job.schedule())) {
			// Ticks of two schedules are not compared.
			this.settled = false;
			this.wanted = null;
			this.called = null;
		}
		this.job = declared;
		this.executor = latest;
	}

	/** Returns whether the job has no bean and requires no action. */
	synchronized boolean isUnused() {
		return this.beans.isEmpty() && this.plan == null && !this.job.client().holds(this.job.key());
	}

	LockedJob job() {
		return this.job;
	}

	@Nullable JobExecutor executor() {
		return this.executor;
	}

	JobRecord seen() {
		return this.seen;
	}

	void seen(JobRecord record) {
		this.seen = record;
		this.settled = !record.isUnfinished();
	}

	/** Sets whether a new bean of the job requires no action. */
	void settled(boolean settled) {
		this.settled = settled;
	}

	/** Returns whether the record has to be read for a new bean. */
	boolean isToRead() {
		return !this.settled;
	}

	@Nullable Instant wanted() {
		return this.wanted;
	}

	@Nullable Instant called() {
		return this.called;
	}

	/** Sets the tick of a call of the scheduler, or {@code null} if it has none. */
	void wants(@Nullable Instant tick) {
		this.wanted = tick;
		if (tick != null) {
			this.called = tick;
		}
	}

	/** Sets the tick of the last call, unless it is already known. */
	void calledBefore(@Nullable Instant tick) {
		if (this.called == null) {
			this.called = tick;
		}
	}

	/**
	 * Replaces the planned action.
	 * @param delay the time until then
	 * @param action what to do with the entry
	 * @return whether a bean has a scheduler for it
	 */
	synchronized boolean plan(Duration delay, Consumer<JobEntry> action) {
		cancel();
		JobExecutor scheduler = this.executor;
		if (scheduler != null) {
			int number = ++this.plans;
			this.plan = scheduler.later(delay, () -> {
				begin(number);
				action.accept(this);
			});
		}
		return scheduler != null;
	}

	private synchronized void begin(int number) {
		if (number == this.plans) {
			this.plan = null;
		}
	}

	synchronized void cancel() {
		if (this.plan != null) {
			this.plan.run();
			this.plan = null;
		}
	}

	/** Forgets what was known before the context was stopped. */
	void reset() {
		cancel();
		this.seen = JobRecord.NONE;
		this.settled = false;
		this.wanted = null;
		this.called = null;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockNotGrantedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the jobs of this application, and runs them outside their schedule. The lock of a
 * job with a key expression depends on the expression's value when its method was last
 * called, or when Spring began to schedule it. Thread-safe.
 */
public class LockedJobs {

	private static final Logger logger = LoggerFactory.getLogger(LockedJobs.class);

	/** The classes of the calls about which a warning was logged. */
	private final Set<Class<?>> warned = ConcurrentHashMap.newKeySet();

	private final Map<LockedJob, JobEntry> entries = new ConcurrentHashMap<>();

	/** The entry of each bean's job. */
	private final Map<JobExecutor, JobEntry> beans = new ConcurrentHashMap<>();

	/**
	 * {@return the jobs that are listed now, ordered by name}
	 */
	public List<LockedJob> all() {
		return this.entries.values()
			.stream()
			.filter((entry) -> entry.executor() != null)
			.map(JobEntry::job)
			.sorted(Comparator.comparing(LockedJob::id))
			.toList();
	}

	/**
	 * Finds a job.
	 * @param id its name, or the key of its lock if it has a key expression
	 * @return the job, or empty if this application has no such job now
	 */
	public Optional<LockedJob> find(String id) {
		return all().stream().filter((job) -> job.id().equals(id)).findFirst();
	}

	/**
	 * Calls a job's method outside its schedule, on this node and the job's scheduler,
	 * under a plain lock, even if the job is paused. The call belongs to no tick, does
	 * not change the schedule, and is not rerun if this node dies. Returns when the lock
	 * is granted, while the method runs.
	 * @param job a job of this application
	 * @throws LockNotGrantedException if another client, or a run on this node, holds the
	 * lock
	 * @throws IllegalStateException if the scheduler rejects the call, the lock is
	 * neither granted nor refused within 20 s, the context is closed, or this thread is
	 * interrupted; the method is then not called
	 * @throws IllegalArgumentException if this application has no such job now
	 * @throws LockException if DynamoDB does not answer
	 */
	public void runNow(LockedJob job) {
		executor(job).runNow(current(job).orElse(job));
	}

	/**
	 * Calls a job's method in this thread as its scheduler does when the job is due. The
	 * tick follows from the job's schedule and the {@link JobClock} bean, so a call for a
	 * tick that has run already does nothing. For tests that set the clock.
	 * @param job a job of this application. Exceptions of its method are thrown, except
	 * those of a publisher, which are logged
	 * @return a future that completes when the publisher has ended, and is complete for
	 * other methods
	 * @throws IllegalStateException if Spring does not schedule methods in this context
	 * @throws IllegalArgumentException if this application has no such job now
	 */
	public CompletableFuture<@Nullable Void> tick(LockedJob job) {
		JobExecutor bean = executor(job);
		CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
		LockedJob current = current(job).orElse(job);
		NamedTick.run(current.schedule(), current.location(), () -> bean.fire(() -> ended.complete(null)));
		return ended;
	}

	private JobExecutor executor(LockedJob job) {
		JobEntry entry = entry(job);
		JobExecutor bean = (entry != null) ? entry.executor() : null;
		if (bean == null) {
			throw new IllegalArgumentException("This application has no " + job);
		}
		return bean;
	}

	/**
	 * Turns a call of a job's method into a tick, for schedules that annotations cannot
	 * express, such as a cron expression in a database. Each node calls this when the
	 * schedule is due. The call runs the method on one node and returns at once on the
	 * others. The tick is rerun if that node crashes, as with {@code @Scheduled}.
	 *
	 * <pre class="code">
	 * registrar.addTriggerTask(() -&gt; jobs.tick(JobSchedule.cron(this.cron, zone), report::run), (context) -&gt; {
	 *     // If the trigger threw, Spring would plan no further call.
	 *     this.cron = findCronOr(this.cron);
	 *     return new CronTrigger(this.cron, zone).nextExecution(context);
	 * });
	 * </pre>
	 * @param schedule the schedule by which the scheduler makes this call. The tick
	 * follows from it and the node's clock
	 * @param call calls a method that has
	 * {@link io.github.dynamodblock.spring.ScheduledLock}, no {@code @Scheduled} and no
	 * parameters, in this thread, and subscribes to it if it returns a publisher.
	 * Exceptions of the method are thrown
	 * @throws IllegalStateException if Spring does not schedule methods in this context,
	 * or not yet, so this node could not rerun a tick
	 * @throws IllegalArgumentException if the method has parameters, if another method
	 * has its lock, or if it has {@code RUN_ONCE} and the schedule has no cron expression
	 */
	public void tick(JobSchedule schedule, Runnable call) {
		Objects.requireNonNull(schedule, "schedule");
		Objects.requireNonNull(call, "call");
		if (!NamedTick.run(schedule, null, call) && this.warned.add(call.getClass())) {
			logger.warn("The call in LockedJobs.tick reached no method in its thread that has @ScheduledLock but not "
					+ "@Scheduled. What it called instead belongs to no tick, so every node calls it");
		}
	}

	/**
	 * Adds the job of a bean, or replaces the one that the bean had.
	 * @param job the job, as the bean's annotations declare it
	 * @param bean calls the job's method
	 */
	public void add(LockedJob job, JobExecutor bean) {
		put(job, bean);
	}

	/** Adds the job of a bean, and returns its entry. */
	synchronized JobEntry put(LockedJob job, JobExecutor bean) {
		JobEntry entry = entry(job);
		if (entry == null) {
			this.entries.values().removeIf(JobEntry::isUnused);
			entry = new JobEntry(job);
			this.entries.put(job, entry);
		}
		JobEntry before = this.beans.put(bean, entry);
		if (before != null && before != entry) {
			before.remove(bean);
		}
		entry.add(job, bean);
		return entry;
	}

	/**
	 * Returns a job as its latest bean declares it.
	 * @param job the job
	 * @return the job, or empty if no bean has it now
	 */
	public Optional<LockedJob> current(LockedJob job) {
		return Optional.ofNullable(entry(job)).filter((entry) -> entry.executor() != null).map(JobEntry::job);
	}

	/**
	 * Returns the job of a bean.
	 * @param bean calls the method of a job
	 * @return the job, or empty if it was not added
	 */
	public Optional<LockedJob> job(JobExecutor bean) {
		return Optional.ofNullable(of(bean)).map(JobEntry::job);
	}

	/**
	 * Makes a bean the only one with its job.
	 * @param job the job
	 * @param bean calls its method
	 * @return the other beans that had the job; they now have none
	 */
	public synchronized List<JobExecutor> keepOnly(LockedJob job, JobExecutor bean) {
		JobEntry entry = entry(job);
		List<JobExecutor> others = this.beans.entrySet()
			.stream()
			.filter((each) -> each.getValue() == entry && each.getKey() != bean)
			.map(Map.Entry::getKey)
			.toList();
		others.forEach(this::remove);
		return others;
	}

	/**
	 * Removes a bean that Spring has destroyed.
	 * @param bean calls the method of a job
	 */
	public synchronized void remove(JobExecutor bean) {
		JobEntry entry = this.beans.remove(bean);
		if (entry != null) {
			entry.remove(bean);
		}
	}

	/**
	 * {@return whether this node holds the lock of any job, including jobs whose beans
	 * were destroyed}
	 */
	public boolean isAnyHeld() {
		return this.entries.keySet().stream().anyMatch((job) -> job.client().holds(job.key()));
	}

	/** Returns the entry of a bean's job. */
	@Nullable JobEntry of(JobExecutor bean) {
		return this.beans.get(bean);
	}

	@Nullable JobEntry entry(LockedJob job) {
		return this.entries.get(job);
	}

	Collection<JobEntry> entries() {
		return this.entries.values();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.aop.definition.JobDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.TaskSchedulerRouter;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The scheduled jobs among the annotated methods: which calls are ticks, and how a job is
 * run again. Thread-safe.
 */
public final class ScheduledJobs {

	private static final Logger logger = LoggerFactory.getLogger(ScheduledJobs.class);

	private static final Duration RETRY = Duration.ofSeconds(10);

	private static final Duration POLL = Duration.ofMillis(10);

	/** The call that this thread makes, until its advice takes it. */
	static final ThreadLocal<@Nullable JobCall> CALLS = new ThreadLocal<>();

	/** Marks calls whose tick has started. Clones of an invocation share it. */
	private static final String STARTED = ScheduledJobs.class.getName() + ".started";

	private final ByLockClient<LockClient> clients;

	private final Supplier<LockNaming> naming;

	private final LockedJobs all = new LockedJobs();

	/** That of the application, which threads of the JDK's timer do not have. */
	private final @Nullable ClassLoader classLoader = ClassUtils.getDefaultClassLoader();

	/** Jobs whose records are read each time the context has started. */
	private final List<OpenJob> beans = new CopyOnWriteArrayList<>();

	private volatile @Nullable Supplier<JobRuns> runs;

	private volatile @Nullable JobRuns madeRuns;

	private volatile Supplier<TaskScheduler> newScheduler = () -> {
		throw new IllegalStateException("Jobs are not enabled");
	};

	private volatile @Nullable Supplier<TaskScheduler> scheduler;

	private volatile @Nullable TaskScheduler madeScheduler;

	private volatile @Nullable Thread opening;

	private volatile boolean closed;

	ScheduledJobs(ByLockClient<LockClient> clients, Supplier<LockNaming> naming) {
		this.clients = clients;
		this.naming = naming;
	}

	/**
	 * Lets jobs have ticks. Without it, their calls have plain locks.
	 * @param runs decides which runs start
	 * @param scheduler runs the jobs that the scheduler did not call
	 */
	public void enable(Supplier<JobRuns> runs, Supplier<TaskScheduler> scheduler) {
		this.newScheduler = scheduler;
		this.scheduler = SingletonSupplier.of(() -> this.madeScheduler = scheduler.get());
		this.runs = SingletonSupplier.of(() -> make(runs));
	}

	/** They may be made when the context is closing, by the first tick of a job. */
	private JobRuns make(Supplier<JobRuns> runs) {
		JobRuns made = runs.get();
		this.madeRuns = made;
		if (this.closed) {
			made.close();
		}
		return made;
	}

	/**
	 * {@return the jobs of this application}
	 */
	public LockedJobs all() {
		return this.all;
	}

	/**
	 * Adds the job of a bean, unless its key depends on the call.
	 * @param definition what the annotations of the method say
	 * @param bean the bean with its proxy
	 * @param method the method
	 */
	public void add(LockDefinition definition, Object bean, Method method) {
		JobDefinition job = definition.job();
		if (job != null && definition.key() == null && this.runs != null) {
			LockKey key = this.naming.get().key(definition.name(), null);
			LockedJob added = job(definition, job, key);
			try {
				Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
				JobMethod executor = new JobMethod(this, definition, job, bean, invocable);
				add(added, executor);
				this.beans.add(new OpenJob(added, executor));
			}
			catch (IllegalStateException ex) {
				logger.debug("Spring's scheduler cannot call {} either: {}", added, ex.getMessage());
			}
		}
	}

	private void add(LockedJob job, JobMethod executor) {
		this.all.add(job, () -> executor.runNow(job));
	}

	/**
	 * Lets runs start again after {@link #close()}.
	 */
	public void reopen() {
		if (this.closed) {
			// The threads of the last one have ended.
			this.scheduler = SingletonSupplier.of(() -> this.madeScheduler = this.newScheduler.get());
			JobRuns made = this.madeRuns;
			if (made != null) {
				made.reopen();
			}
			this.closed = false;
		}
	}

	/**
	 * Reads the records of the jobs that were added, on a separate thread, and starts
	 * runs that did not finish or were missed. Repeats that while DynamoDB does not
	 * answer.
	 */
	public void open() {
		List<OpenJob> jobs = new ArrayList<>(this.beans);
		if (!jobs.isEmpty()) {
			Thread thread = new Thread(() -> open(jobs), "dynamodb-lock-jobs");
			thread.setDaemon(true);
			this.opening = thread;
			thread.start();
		}
	}

	private void open(List<OpenJob> jobs) {
		boolean reported = false;
		while (!this.closed && !jobs.isEmpty()) {
			try {
				runs().open(jobs.get(0).job(), jobs.get(0).method());
				jobs.remove(0);
			}
			catch (LockException ex) {
				if (!reported) {
					reported = true;
					logger.warn("Could not read the record of {}, so that this node reruns no earlier run of its jobs "
							+ "yet; trying again. {}", jobs.get(0).job(), ex.getMessage());
				}
				LockSupport.parkNanos(this, RETRY.toNanos());
			}
		}
	}

	/**
	 * Ends all watches and lets no run start. Those that are under way go on.
	 */
	public void stopStarting() {
		this.closed = true;
		JobRuns made = this.madeRuns;
		if (made != null) {
			made.close();
		}
		Thread thread = this.opening;
		if (thread != null) {
			thread.interrupt();
		}
	}

	/**
	 * Ends all watches, and the threads of a scheduler that is no bean.
	 */
	public void close() {
		stopStarting();
		if (this.madeScheduler instanceof TaskSchedulerRouter router) {
			router.destroy();
		}
	}

	/**
	 * Awaits that no call of a job on this node holds its lock any more.
	 * @param longest for how long at most
	 */
	public void awaitRuns(Duration longest) {
		long begin = System.nanoTime();
		while (isAnyHeld() && System.nanoTime() - begin < longest.toNanos()) {
			LockSupport.parkNanos(this, POLL.toNanos());
		}
	}

	private boolean isAnyHeld() {
		return this.all.all().stream().anyMatch((job) -> job.client().holds(job.key()));
	}

	boolean isClosed() {
		return this.closed;
	}

	JobRuns runs() {
		Supplier<JobRuns> supplier = this.runs;
		if (supplier == null) {
			throw new IllegalStateException("Jobs are not enabled");
		}
		return supplier.get();
	}

	/**
	 * Finds the part of a call in a job.
	 * @param scheduled whether the scheduler makes the call
	 * @return the part; {@code null} if the method is no job, or has several locks
	 * @throws SkippedException if the call is a tick that is not claimed
	 */
	@Nullable JobCall find(MethodInvocation invocation, LockDefinition definition, List<LockKey> keys, boolean scheduled) {
		JobDefinition job = definition.job();
		if (job == null || this.runs == null) {
			return null;
		}
		JobCall made = CALLS.get();
		if (made != null && isOf(made, definition)) {
			CALLS.remove();
			return made;
		}
		if (keys.size() != 1) {
			return null;
		}
		LockedJob locked = job(definition, job, keys.get(0));
		ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
		if (!scheduled || call.getUserAttribute(STARTED) != null) {
			return new JobCall(runs(), locked, null);
		}
		JobMethod executor = new JobMethod(this, definition, job, call.getProxy(), invocation.getMethod());
		add(locked, executor);
		return runs().tick(locked, executor)
			.map((start) -> new JobCall(runs(), locked, start))
			.orElseThrow(SkippedException::new);
	}

	/**
	 * Returns the lock of a call that this thread makes, whatever the call's key.
	 */
	static @Nullable LockKey key(LockDefinition definition) {
		JobCall call = CALLS.get();
		return (call != null && isOf(call, definition)) ? call.job().key() : null;
	}

	private static boolean isOf(JobCall call, LockDefinition definition) {
		return call.job().location().equals(definition.location());
	}

	/**
	 * Marks a call whose tick has started: if advice outside the lock repeats it, that is
	 * no further tick. A reactive call is subscribed to by each tick.
	 */
	static void markStarted(MethodInvocation invocation, LockDefinition definition) {
		if (!definition.returnKind().isReactive()) {
			((ProxyMethodInvocation) invocation).setUserAttribute(STARTED, true);
		}
	}

	private LockedJob job(LockDefinition definition, JobDefinition job, LockKey key) {
		return new LockedJob(definition.name(), key, definition.key() != null, definition.location(), job.schedule(),
				job.attempts(), job.onMissed(), definition.holdAtMost(), this.clients.get(definition.lockClient()));
	}

	/** Runs a task on a scheduler, by the name of its bean or by default. */
	Future<?> submit(String schedulerName, Duration delay, Runnable task) {
		TaskScheduler target = Objects.requireNonNull(this.scheduler, "Jobs are not enabled").get();
		// New threads of the scheduler inherit the class loader of this one.
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(this.classLoader);
		try {
			return target.schedule(new QualifiedTask(task, schedulerName), target.getClock().instant().plus(delay));
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/** A job of a bean. */
	private record OpenJob(LockedJob job, JobMethod method) {
	}

	/** A task for the scheduler of a name. */
	private record QualifiedTask(Runnable task, String scheduler) implements SchedulingAwareRunnable {

		@Override
		public void run() {
			this.task.run();
		}

		@Override
		public @Nullable String getQualifier() {
			return this.scheduler.isEmpty() ? null : this.scheduler;
		}

	}

	/** The call is a tick that this node does not claim. */
	static final class SkippedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		SkippedException() {
			super("Skipped", null, false, false);
		}

	}

}

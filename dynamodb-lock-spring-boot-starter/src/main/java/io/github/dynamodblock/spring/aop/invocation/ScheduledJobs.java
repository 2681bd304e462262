/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockLostException;
import io.github.dynamodblock.spring.aop.definition.JobDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import io.github.dynamodblock.spring.job.JobLedger;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.JobStart;
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
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * The scheduled jobs among the annotated methods: which calls are ticks, and how a job is
 * run again. Thread-safe.
 */
public final class ScheduledJobs {

	private static final Logger logger = LoggerFactory.getLogger(ScheduledJobs.class);

	/** What a call of this thread is to start, until its advice takes it. */
	private static final ThreadLocal<@Nullable JobStart> STARTS = new ThreadLocal<>();

	/** Marks calls whose tick has started. Clones of an invocation share it. */
	private static final String STARTED = ScheduledJobs.class.getName() + ".started";

	private final ByLockClient<LockClient> clients;

	private final ByLockClient<LockNaming> namings;

	private final LockedJobs all = new LockedJobs();

	/** That of the application, which threads of the JDK's timer do not have. */
	private final @Nullable ClassLoader classLoader = ClassUtils.getDefaultClassLoader();

	/** Jobs that are read each time the context has started. */
	private final List<OpenJob> beans = new CopyOnWriteArrayList<>();

	private volatile @Nullable Supplier<JobRuns> runs;

	private volatile @Nullable Supplier<TaskScheduler> scheduler;

	private volatile Runnable newScheduler = () -> {
	};

	private volatile boolean closed;

	/** What was created so far, and has to be opened again after it was closed. */
	private final Queue<Runnable> reopening = new ConcurrentLinkedQueue<>();

	/** What was created so far, and has to be closed. */
	private final Queue<Runnable> closing = new ConcurrentLinkedQueue<>();

	ScheduledJobs(ByLockClient<LockClient> clients, ByLockClient<LockNaming> namings) {
		this.clients = clients;
		this.namings = namings;
	}

	/**
	 * Lets jobs have ticks. Without it, their calls have plain locks.
	 * @param runs decides which runs start
	 * @param scheduler runs the jobs that the scheduler did not call
	 */
	public void enable(Supplier<JobRuns> runs, Supplier<TaskScheduler> scheduler) {
		this.newScheduler = () -> this.scheduler = SingletonSupplier.of(() -> {
			TaskScheduler made = scheduler.get();
			this.closing.add(() -> close(made));
			return made;
		});
		this.newScheduler.run();
		this.runs = SingletonSupplier.of(() -> {
			JobRuns made = runs.get();
			this.closing.add(made::close);
			this.reopening.add(made::reopen);
			return made;
		});
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
			LockKey key = this.namings.get(definition.lockClient()).key(definition.name(), null);
			LockedJob added = job(definition, job, key);
			try {
				Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
				Consumer<JobStart> starter = starter(definition, job, bean, invocable);
				add(added, starter);
				this.beans.add(new OpenJob(added, starter));
			}
			catch (IllegalStateException ex) {
				logger.debug("Spring's scheduler cannot call {} either: {}", added, ex.getMessage());
			}
		}
	}

	private void add(LockedJob job, Consumer<JobStart> starter) {
		this.all.add(job, () -> {
			if (this.closed) {
				throw new IllegalStateException("This node is shutting down; run " + job + " on another one");
			}
			runs().runNow(job, starter);
		});
	}

	/**
	 * Lets runs start again after {@link #close()}.
	 */
	public void reopen() {
		if (this.closed) {
			// The threads of the last one have ended.
			this.newScheduler.run();
			this.reopening.forEach(Runnable::run);
			this.closed = false;
		}
	}

	/**
	 * Reads the ledgers of the jobs that were added, each on its scheduler, and starts
	 * runs that did not finish or were missed.
	 */
	public void open() {
		this.beans.forEach((bean) -> schedule(bean.job(), "", () -> bean.open(runs())));
	}

	/**
	 * Ends all watches, and lets no manual run start.
	 */
	public void close() {
		this.closed = true;
		this.closing.forEach(Runnable::run);
	}

	/** Ends the threads of a scheduler that is no bean. */
	private static void close(TaskScheduler scheduler) {
		if (scheduler instanceof TaskSchedulerRouter router) {
			router.destroy();
		}
	}

	private JobRuns runs() {
		Supplier<JobRuns> supplier = this.runs;
		if (supplier == null) {
			throw new IllegalStateException("Jobs are not enabled");
		}
		return supplier.get();
	}

	/**
	 * Finds what a call is to start.
	 * @return the call's part in a job; {@code null} for a plain lock
	 * @throws SkippedException if the call is a tick that is not claimed
	 */
	@Nullable JobCall find(MethodInvocation invocation, LockDefinition definition, List<LockKey> keys) {
		JobDefinition job = definition.job();
		if (job == null || this.runs == null) {
			return null;
		}
		JobStart taken = take(definition);
		if (taken != null) {
			return new JobCall(runs(), taken);
		}
		if (keys.size() != 1 || !isTick(invocation, definition.returnKind())) {
			return null;
		}
		LockedJob locked = job(definition, job, keys.get(0));
		Object proxy = ((ProxyMethodInvocation) invocation).getProxy();
		Consumer<JobStart> starter = starter(definition, job, proxy, invocation.getMethod());
		add(locked, starter);
		return runs().tick(locked, starter)
			.map((start) -> new JobCall(runs(), start))
			.orElseThrow(SkippedException::new);
	}

	/**
	 * Returns the lock of a run that this thread is to start, whatever the call's key.
	 */
	static @Nullable LockKey key(LockDefinition definition) {
		JobStart start = STARTS.get();
		return (start != null && start.run().job().location().equals(definition.location())) ? start.run().job().key()
				: null;
	}

	private static @Nullable JobStart take(LockDefinition definition) {
		JobStart start = STARTS.get();
		if (start == null || !start.run().job().location().equals(definition.location())) {
			return null;
		}
		STARTS.remove();
		return start;
	}

	private static boolean isTick(MethodInvocation invocation, ReturnKind kind) {
		return switch (kind) {
			case MONO, FLUX, SUSPEND -> SchedulerCalls.isSubscribed();
			default -> ((ProxyMethodInvocation) invocation).getUserAttribute(STARTED) == null && SchedulerCalls
				.isCalled(invocation.getMethod().getName(), Objects.requireNonNull(invocation.getThis()));
		};
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
		return new LockedJob(name(key), key, definition.location(), job.schedule(), job.onCrash(), job.attempts(),
				job.onMissed(), this.clients.get(definition.lockClient()));
	}

	private static String name(LockKey key) {
		return key.toString();
	}

	/** Runs the job's method by its proxy, so that all of its advice applies. */
	private Consumer<JobStart> starter(LockDefinition definition, JobDefinition job, Object proxy, Method method) {
		return (start) -> {
			Runnable task = () -> call(start, definition, proxy, method);
			if (start.run().manual()) {
				scheduleManually(start.run().job(), job.scheduler(), task);
			}
			else {
				schedule(start.run(), job.scheduler(), task);
			}
		};
	}

	private void scheduleManually(LockedJob job, String schedulerName, Runnable task) {
		try {
			submit(schedulerName, task);
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException(job + " does not start on this node, since its scheduler rejects it: "
					+ ex.getMessage() + ". Run it on another node", ex);
		}
	}

	private void schedule(Object what, String schedulerName, Runnable task) {
		try {
			submit(schedulerName, task);
		}
		catch (RuntimeException ex) {
			if (this.closed) {
				logger.debug("{} is not scheduled, because the context is closed: {}", what, ex.getMessage());
			}
			else {
				logger.warn("{} could not be scheduled, and does not start on this node: {}", what, ex.getMessage());
			}
		}
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the tasks log what they throw
	private void submit(String schedulerName, Runnable task) {
		Supplier<TaskScheduler> supplier = this.scheduler;
		if (supplier == null) {
			return;
		}
		// New threads of the scheduler inherit the class loader of this one.
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(this.classLoader);
		try {
			supplier.get().schedule(new QualifiedTask(task, schedulerName), Instant.EPOCH);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	private void call(JobStart queued, LockDefinition definition, Object proxy, Method method) {
		JobStart start = runs().begin(queued).orElse(null);
		if (start == null) {
			return;
		}
		STARTS.set(start);
		try {
			call(definition.returnKind(), proxy, method, (failure) -> {
				runs().done(queued);
				report(start, failure);
			});
		}
		catch (Throwable ex) {
			runs().done(queued);
			report(start, ex);
		}
		finally {
			STARTS.remove();
		}
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private static void call(ReturnKind kind, Object proxy, Method method, Consumer<@Nullable Throwable> ended) {
		if (kind.isReactive()) {
			ReactiveJobs.subscribe(kind, proxy, method, ended);
			return;
		}
		ReflectionUtils.makeAccessible(method);
		if (ReflectionUtils.invokeMethod(method, proxy) instanceof CompletionStage<?> stage) {
			stage.whenComplete((result, failure) -> ended.accept(failure));
		}
		else {
			ended.accept(null);
		}
	}

	private static void report(JobStart start, @Nullable Throwable failure) {
		if (failure instanceof CompletionException && failure.getCause() != null) {
			report(start, failure.getCause());
		}
		else if (failure instanceof LockException && !(failure instanceof LockLostException)) {
			logger.warn("{} was not started: {}", start.run(), failure.getMessage());
		}
		else if (failure != null) {
			logger.error("{} failed", start.run(), failure);
		}
	}

	/** A job of a bean. */
	private record OpenJob(LockedJob job, Consumer<JobStart> starter) {

		void open(JobRuns runs) {
			Optional<JobLedger> ledger = Optional.empty();
			try {
				ledger = this.job.ledger();
			}
			catch (LockException ex) {
				logger.warn("Could not read the ledger of {}, so that runs before the start of this node are not rerun "
						+ "by it: {}", this.job, ex.getMessage());
			}
			runs.open(this.job, ledger, this.starter);
		}

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

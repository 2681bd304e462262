/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.aop.definition.JobDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.job.JobCall;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.TaskSchedulerRouter;
import org.springframework.util.ClassUtils;

/**
 * Runs the scheduled jobs among the annotated methods. It determines which calls are
 * ticks, and reruns jobs. Jobs that were interrupted or missed are rerun once the context
 * has started, and no run starts once it begins to close. This bean is destroyed after
 * the schedulers, which interrupt runs in progress, and before the lock clients, with
 * which these runs record their end. Thread-safe.
 */
public final class ScheduledJobs implements SmartLifecycle, DisposableBean, ApplicationListener<ContextClosedEvent> {

	/** The name of this bean. */
	public static final String BEAN_NAME = "dynamoDbLockScheduledJobs";

	private static final Logger logger = LoggerFactory.getLogger(ScheduledJobs.class);

	private static final Duration RETRY = Duration.ofSeconds(10);

	private static final Duration POLL = Duration.ofMillis(10);

	/** The maximum time for an interrupted run to end. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	/** This thread's call, until its advice takes it. */
	static final ThreadLocal<@Nullable JobCall> CALLS = new ThreadLocal<>();

	/** Marks calls whose tick has started. Clones of an invocation share it. */
	private static final String STARTED = ScheduledJobs.class.getName() + ".started";

	private final ConfigurableListableBeanFactory beanFactory;

	private final DistributedLockAdvisor advisor;

	private final LockedJobs all;

	private final JobRuns runs;

	/** The application's class loader, which threads of the JDK's timer do not have. */
	private final @Nullable ClassLoader classLoader = ClassUtils.getDefaultClassLoader();

	/** Jobs whose records are read each time the context has started. */
	private final Map<LockedJob, JobMethod> beans = new ConcurrentHashMap<>();

	private volatile TaskSchedulerRouter scheduler;

	private volatile @Nullable Thread opening;

	private volatile boolean running;

	private volatile boolean closed;

	/**
	 * Creates the jobs.
	 * @param beanFactory provides the schedulers and lock clients
	 * @param advisor provides the lock clients and the naming of keys
	 * @param all receives the jobs
	 * @param runs decides which runs start
	 */
	public ScheduledJobs(ConfigurableListableBeanFactory beanFactory, DistributedLockAdvisor advisor, LockedJobs all,
			JobRuns runs) {
		this.beanFactory = beanFactory;
		this.advisor = advisor;
		this.all = all;
		this.runs = runs;
		this.scheduler = newScheduler();
	}

	/** Finds schedulers as scheduled methods do. */
	private TaskSchedulerRouter newScheduler() {
		TaskSchedulerRouter router = new TaskSchedulerRouter();
		router.setBeanName("lockedJobsScheduler");
		router.setBeanFactory(this.beanFactory);
		return router;
	}

	/**
	 * Adds the job of a bean, unless its key depends on the call.
	 * @param definition the options in the method's annotations
	 * @param bean the bean with its proxy
	 * @param method the method
	 */
	public void add(LockDefinition definition, Object bean, Method method) {
		JobDefinition job = definition.job();
		if (job != null && definition.key() == null) {
			LockKey key = this.advisor.naming().key(definition.name(), null);
			LockedJob added = job(definition, job, key);
			try {
				Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
				JobMethod executor = new JobMethod(this, definition, job, bean, invocable);
				add(added, executor);
				this.beans.put(added, executor);
			}
			catch (IllegalStateException ex) {
				logger.debug("Spring's scheduler cannot call {} either: {}", added, ex.getMessage());
			}
		}
	}

	private void add(LockedJob job, JobMethod executor) {
		this.all.add(job, () -> executor.runNow(job));
	}

	/** Allows runs to start, also after {@link #stop()}. */
	@Override
	public void start() {
		this.running = true;
		if (this.closed) {
			// The threads of the previous scheduler have ended.
			this.scheduler = newScheduler();
			this.runs.reopen();
			this.closed = false;
		}
		if (!this.beans.isEmpty() && isScheduling()) {
			Thread thread = new Thread(this::open, "dynamodb-lock-jobs");
			thread.setDaemon(true);
			this.opening = thread;
			thread.start();
		}
		for (Class<?> type : List.of(TaskScheduler.class, ScheduledExecutorService.class)) {
			for (String dependent : names(type)) {
				this.beanFactory.registerDependentBean(BEAN_NAME, dependent);
			}
		}
		for (String client : names(LockClient.class)) {
			this.beanFactory.registerDependentBean(client, BEAN_NAME);
		}
	}

	/** Returns whether this node schedules methods; otherwise it reruns none. */
	private boolean isScheduling() {
		return this.beanFactory.getBeanProvider(ScheduledTaskHolder.class)
			.stream()
			.anyMatch((holder) -> !holder.getScheduledTasks().isEmpty());
	}

	private String[] names(Class<?> type) {
		return this.beanFactory.getBeanNamesForType(type, true, false);
	}

	/**
	 * Reads the records of the jobs that were added, and starts runs that did not finish
	 * or were missed. Retries while DynamoDB does not answer.
	 */
	private void open() {
		boolean reported = false;
		Deque<LockedJob> jobs = new ArrayDeque<>(this.beans.keySet());
		while (!this.closed && !jobs.isEmpty()) {
			LockedJob job = jobs.element();
			try {
				this.runs.open(job, Objects.requireNonNull(this.beans.get(job)));
				jobs.remove();
			}
			catch (LockException ex) {
				if (!reported) {
					reported = true;
					logger.warn("Could not read the record of {}, so this node cannot start crashed or missed runs of "
							+ "its jobs yet; retrying. {}", job, ex.getMessage());
				}
				LockSupport.parkNanos(this, RETRY.toNanos());
			}
		}
	}

	/** Comes long before the lifecycle stops, which may await web requests first. */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext().getAutowireCapableBeanFactory() == this.beanFactory) {
			stopStarting();
		}
	}

	/** Ends all watches and prevents further runs. Runs in progress continue. */
	private void stopStarting() {
		this.closed = true;
		this.runs.close();
		Thread thread = this.opening;
		if (thread != null) {
			thread.interrupt();
		}
	}

	/** Ends all watches, and the threads of a scheduler that is not a bean. */
	@Override
	public void stop() {
		stopStarting();
		this.scheduler.destroy();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Waits until no call of a job on this node holds its lock. */
	@Override
	public void destroy() {
		long begin = System.nanoTime();
		while (isAnyHeld() && System.nanoTime() - begin < PATIENCE.toNanos()) {
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
		return this.runs;
	}

	/**
	 * Returns the job call for a method call.
	 * @param scheduled whether the scheduler makes the call
	 * @return the job call; {@code null} if the call has several locks
	 * @throws SkippedException if the call is a tick that is not claimed
	 */
	@Nullable JobCall find(MethodInvocation invocation, LockDefinition definition, List<LockKey> keys, boolean scheduled) {
		if (keys.size() != 1) {
			return null;
		}
		JobDefinition job = Objects.requireNonNull(definition.job());
		LockedJob locked = job(definition, job, keys.get(0));
		ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
		if (!scheduled || call.getUserAttribute(STARTED) != null) {
			return this.runs.call(locked);
		}
		JobMethod executor = new JobMethod(this, definition, job, call.getProxy(), invocation.getMethod());
		add(locked, executor);
		return this.runs.tick(locked, executor).orElseThrow(SkippedException::new);
	}

	/** Takes this thread's job call, whatever its key. */
	static @Nullable JobCall take(LockDefinition definition) {
		JobCall call = CALLS.get();
		if (call == null || !call.job().location().equals(definition.location())) {
			return null;
		}
		CALLS.remove();
		return call;
	}

	/**
	 * Marks a call whose tick has started. If advice outside the lock repeats the call,
	 * this is not another tick. A reactive call is not marked, because each tick
	 * subscribes to it.
	 */
	static void markStarted(MethodInvocation invocation, LockDefinition definition) {
		if (!definition.returnKind().isReactive()) {
			((ProxyMethodInvocation) invocation).setUserAttribute(STARTED, true);
		}
	}

	private LockedJob job(LockDefinition definition, JobDefinition job, LockKey key) {
		return new LockedJob(definition.name(), key, definition.key() != null, definition.location(), job.schedule(),
				job.attempts(), job.onMissed(), definition.holdAtMost(), this.advisor.client(definition));
	}

	/** Runs a task on the scheduler with this bean name, or on the default one. */
	Future<?> submit(String schedulerName, Duration delay, Runnable task) {
		TaskScheduler target = this.scheduler;
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

	/** A task for a named scheduler. */
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

	/** Thrown if the call is a tick that this node does not claim. */
	static final class SkippedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		SkippedException() {
			super("Skipped", null, false, false);
		}

	}

}

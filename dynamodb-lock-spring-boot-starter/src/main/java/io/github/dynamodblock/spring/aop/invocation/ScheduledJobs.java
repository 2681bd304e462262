/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.OnMissed;
import io.github.dynamodblock.spring.aop.definition.JobDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import io.github.dynamodblock.spring.job.JobCall;
import io.github.dynamodblock.spring.job.JobExecutor;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.LockedJob;
import io.github.dynamodblock.spring.job.LockedJobs;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/**
 * Runs the scheduled jobs among the annotated methods: determines which calls are ticks,
 * and reruns jobs. Once the context has started, it reruns jobs that were interrupted or
 * missed. No run starts once the context is stopped or begins to close. Runs in progress
 * continue until Spring interrupts them. They can still record their end, because the
 * lock clients are destroyed later. Thread-safe.
 */
public class ScheduledJobs implements SmartLifecycle, ApplicationListener<ContextClosedEvent>, Ordered {

	/** The name of this bean. */
	public static final String BEAN_NAME = "dynamoDbLockScheduledJobs";

	private static final Logger logger = LoggerFactory.getLogger(ScheduledJobs.class);

	private static final Duration RETRY = Duration.ofSeconds(10);

	private static final Duration POLL = Duration.ofMillis(10);

	/** The maximum time for an interrupted run to end. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockSelection selection;

	private final LockedJobs all;

	private final JobRuns runs;

	private final JobScheduler scheduler = new JobScheduler();

	/**
	 * The jobs' methods, by the objects behind their proxies, because Spring announces
	 * the end of these objects. If a proxy selects its target for each call, the proxy
	 * itself is the key.
	 */
	private final Map<Object, Map<String, JobMethod>> methods = Collections.synchronizedMap(new IdentityHashMap<>());

	/** Objects with jobs that Spring has destroyed. */
	private final Set<Object> destroyed = Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

	/** The reports about methods that were logged. */
	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	/** The names of the beans that were added. */
	private final Set<String> beanNames = ConcurrentHashMap.newKeySet();

	/** The threads that read records. */
	private final Set<Thread> opening = ConcurrentHashMap.newKeySet();

	private volatile boolean running;

	/**
	 * Creates the jobs.
	 * @param beanFactory provides the schedulers and lock clients
	 * @param selection provides the lock clients and the keys
	 * @param all lists the jobs
	 * @param runs decides which runs start
	 * @param shutdown the steps in which the runs end
	 */
	public ScheduledJobs(ConfigurableListableBeanFactory beanFactory, LockSelection selection, LockedJobs all,
			JobRuns runs, JobShutdown shutdown) {
		this.beanFactory = beanFactory;
		this.selection = selection;
		this.all = all;
		this.runs = runs;
		shutdown.run(runs::interrupt, this::end);
	}

	/**
	 * Adds the job of a bean. Once Spring schedules methods, the job is listed and its
	 * record is read.
	 * @param definition the options in the method's annotations
	 * @param beanName the name of the bean
	 * @param bean the bean with its proxy
	 * @param method the method
	 */
	public void add(LockDefinition definition, String beanName, Object bean, Method method) {
		if (definition.schedule() == null) {
			return;
		}
		this.beanNames.add(beanName);
		try {
			JobMethod added = add(definition, bean, AopUtils.selectInvocableMethod(method, bean.getClass()));
			if (this.scheduler.isConfigured()) {
				enter(List.of(added));
				beginOpening(List.of(added));
			}
		}
		catch (IllegalStateException ex) {
			logger.debug("Spring's scheduler cannot call {} either: {}", definition.location(), ex.getMessage());
		}
	}

	private JobMethod add(LockDefinition definition, Object proxy, Method method) {
		JobMethod added = new JobMethod(this.scheduler, this.runs, definition, proxy, method);
		Object target = added.target();
		this.destroyed.remove(target);
		this.methods.computeIfAbsent(target, (same) -> new ConcurrentHashMap<>()).put(definition.location(), added);
		return added;
	}

	/**
	 * Removes the jobs of an object that Spring destroys. Its calls are no longer ticks,
	 * although some versions of Spring continue to make them.
	 * @param bean a bean, with or without its proxies
	 */
	public void remove(Object bean) {
		Object target = JobMethod.target(bean);
		Map<String, JobMethod> removed = this.methods.remove(target);
		if (removed != null) {
			this.destroyed.add(target);
			removed.values().forEach(this.all::remove);
		}
	}

	/** Allows runs to start, even after {@link #stop()}. */
	@Override
	public void start() {
		this.running = true;
		if (this.runs.isClosed()) {
			this.runs.reopen();
		}
		if (this.scheduler.isConfigured()) {
			open(allMethods());
		}
	}

	/**
	 * Starts the runs that are due, because Spring begins to schedule methods. Called
	 * after the first {@link #start()}. A second registrar, such as that of another
	 * post-processor, is ignored.
	 * @param scheduling schedules the methods; its scheduler and its observations are
	 * those of the runs
	 */
	public void begin(ScheduledTaskRegistrar scheduling) {
		if (this.scheduler.begin(scheduling)) {
			open(allMethods());
		}
	}

	private void open(List<JobMethod> opened) {
		enter(opened);
		if (isScheduling()) {
			beginOpening(opened);
		}
	}

	private List<JobMethod> allMethods() {
		synchronized (this.methods) {
			return this.methods.values().stream().flatMap((each) -> each.values().stream()).toList();
		}
	}

	/** Lists the jobs of these methods. */
	private void enter(List<JobMethod> added) {
		for (JobMethod method : added) {
			LockedJob job = job(method);
			if (job != null) {
				this.all.add(job, method);
			}
		}
	}

	/** Reads the records of these jobs in another thread. */
	private void beginOpening(List<JobMethod> added) {
		if (added.stream().anyMatch(this.runs::isToOpen)) {
			Thread thread = new Thread(() -> readAll(new ArrayList<>(added)), "dynamodb-lock-jobs");
			thread.setDaemon(true);
			this.opening.add(thread);
			thread.start();
		}
	}

	/** Returns the job of a method, or {@code null} if its key is not known yet. */
	private @Nullable LockedJob job(JobMethod method) {
		LockDefinition definition = method.definition();
		JobSchedule schedule = method.definition().schedule();
		if (schedule == null) {
			// The next tick supplies the schedule.
			return null;
		}
		try {
			List<LockKey> keys = this.selection.keys(definition, new Object[0], method.target());
			if (keys.size() == 1) {
				return job(definition, schedule, keys.get(0));
			}
			warnOfSeveral(definition, keys);
		}
		catch (RuntimeException ex) {
			logger.debug("{} has no key yet, so its job begins with its first tick", definition.location(), ex);
		}
		return null;
	}

	private void warnOfSeveral(LockDefinition definition, List<LockKey> keys) {
		if (this.reported.add("several: " + definition.location())) {
			logger.warn("The key of {} selects {} locks, so its calls have plain locks: every node runs each tick, "
					+ "one after another. Let it select one lock", definition.location(), keys.size());
		}
	}

	/** Returns whether this node schedules methods. If not, it reruns none. */
	private boolean isScheduling() {
		return this.beanFactory.getBeanProvider(ScheduledTaskHolder.class)
			.stream()
			.anyMatch((holder) -> !holder.getScheduledTasks().isEmpty());
	}

	/**
	 * Reads the records of the jobs that were added, and starts runs that did not finish
	 * or were missed. If records could not be read, reads them again after a pause.
	 */
	private void readAll(List<JobMethod> left) {
		try {
			for (boolean first = true;; first = false) {
				LockException failure = readOnce(left);
				if (failure == null) {
					return;
				}
				if (first) {
					logger.warn(
							"Could not read the records of {}, so this node cannot start their crashed or missed runs "
									+ "yet; retrying every {} s. {}",
							left.stream().map(JobMethod::toString).collect(Collectors.joining(", ")), RETRY.toSeconds(),
							failure.getMessage());
				}
				// Unlike park(), it is not ended by a permit that a call has left.
				Thread.sleep(RETRY.toMillis());
			}
		}
		catch (InterruptedException ex) {
			logger.debug("The context was stopped before all records were read");
		}
		finally {
			this.opening.remove(Thread.currentThread());
		}
	}

	/**
	 * Reads each record once. Those that could not be read stay in the list.
	 * @return the last failure, or {@code null} if there is nothing to read again
	 */
	private @Nullable LockException readOnce(List<JobMethod> left) {
		LockException failure = null;
		for (JobMethod method : List.copyOf(left)) {
			if (this.runs.isClosed() || !this.opening.contains(Thread.currentThread())) {
				return null;
			}
			try {
				this.runs.open(method);
				left.remove(method);
			}
			catch (LockException ex) {
				failure = ex;
			}
		}
		return failure;
	}

	/** Called long before the lifecycle stops, which may wait for web requests first. */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext().getAutowireCapableBeanFactory() == this.beanFactory) {
			stopStarting();
			if (this.scheduler.isConfigured()) {
				JobShutdown.order(this.beanFactory, BEAN_NAME, this.beanNames);
			}
		}
	}

	/** Called before schedulers reject tasks. */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	/**
	 * Events must not be asynchronous: beans could be destroyed before another thread has
	 * ordered their destruction.
	 */
	@Override
	public boolean supportsAsyncExecution() {
		return false;
	}

	/** Ends all watches and prevents further runs. Runs in progress continue. */
	private void stopStarting() {
		this.runs.close();
		this.opening.forEach(Thread::interrupt);
		this.opening.clear();
	}

	/** Prevents further runs until the next start. */
	@Override
	public void stop() {
		stopStarting();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Waits until no call of a job on this node holds its lock. */
	private void end() {
		long begin = System.nanoTime();
		boolean interrupted = false;
		while (this.all.isAnyHeld() && System.nanoTime() - begin < PATIENCE.toNanos()) {
			try {
				Thread.sleep(POLL.toMillis());
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns whether Spring schedules the methods of this context. */
	boolean isConfigured() {
		return this.scheduler.isConfigured();
	}

	/**
	 * Returns the job call for a method call.
	 * @param tick the schedule of the tick, or {@code null} if the call is not a tick
	 * @return the job call; {@code null} if the call has a plain lock or several
	 * @throws LockedCall.SkippedException if the call is a tick that is not claimed
	 */
	@Nullable JobCall find(MethodInvocation invocation, LockDefinition definition, List<LockKey> keys,
			@Nullable JobSchedule tick) {
		ProxyMethodInvocation call = (ProxyMethodInvocation) invocation;
		JobSchedule schedule = (tick != null) ? tick : definition.schedule();
		if (schedule == null) {
			return outsideTicks(call, definition, keys);
		}
		if (keys.size() != 1) {
			warnOfSeveral(definition, keys);
			return null;
		}
		if (tick == null || LockedCall.isStarted(call)) {
			return this.runs.call(job(definition, schedule, keys.get(0)));
		}
		if (definition.schedule() == null) {
			checkNamed(call.getMethod(), definition, job(definition, tick, keys.get(0)));
		}
		JobMethod called = called(call, definition);
		if (this.destroyed.contains(called.target())) {
			logger.debug("Skipped {}: its bean was destroyed", definition.location());
			throw new LockedCall.SkippedException();
		}
		// The bean may be older than the definition.
		JobSchedule declared = called.definition().schedule();
		LockedJob job = job(called.definition(), (declared != null) ? declared : tick, keys.get(0));
		if (declared == null) {
			removeOthers(called, job);
		}
		Optional<JobCall> run = this.runs.tick(job, called);
		if (this.destroyed.contains(called.target())) {
			// The bean was destroyed in the meantime.
			this.all.remove(called);
		}
		return run.orElseThrow(LockedCall.SkippedException::new);
	}

	/** Returns the call of such a job outside its ticks. */
	private @Nullable JobCall outsideTicks(ProxyMethodInvocation call, LockDefinition definition, List<LockKey> keys) {
		JobMethod known = known(call, definition);
		if (known == null && this.reported.add(definition.location())) {
			logger
				.warn("{} has @ScheduledLock, but no @Scheduled, and was not called in LockedJobs.tick yet, so this call "
						+ "has a plain lock: every node runs it, one after another, and a crashed run is not rerun. If a "
						+ "scheduler calls the method, use @Scheduled or LockedJobs.tick; if none does, use @DistributedLock",
						definition.location());
		}
		return Optional.ofNullable(known)
			.flatMap(this.all::job)
			.filter((job) -> keys.equals(List.of(job.key())))
			.map(this.runs::call)
			.orElse(null);
	}

	/** Checks a job for whose tick the application supplies the schedule. */
	private void checkNamed(Method method, LockDefinition definition, LockedJob job) {
		int parameters = (definition.returnKind() == ReturnKind.SUSPEND) ? 1 : 0;
		if (method.getParameterCount() > parameters) {
			throw new IllegalArgumentException(definition.location() + " has parameters, but another node must be able "
					+ "to rerun a tick without knowing them. Call a method without parameters in LockedJobs.tick");
		}
		if (job.onMissed() == OnMissed.RUN_ONCE && !(job.schedule() instanceof JobSchedule.Cron)) {
			throw new IllegalArgumentException(definition.location() + " has RUN_ONCE, but the schedule that "
					+ "LockedJobs.tick names has no cron expression, so missed ticks are unknown. "
					+ "Name a schedule with a cron expression, or use SKIP");
		}
		this.all.current(job).filter((other) -> !other.location().equals(job.location())).ifPresent((other) -> {
			throw new IllegalArgumentException(definition.location() + " has the lock of " + other
					+ ", so the two would take each other's ticks. Give each its own name");
		});
	}

	/**
	 * Forgets other beans with a job for whose ticks the application supplies the
	 * schedule. The application now calls this bean, and Spring does not announce the end
	 * of a prototype.
	 */
	private void removeOthers(JobMethod called, LockedJob job) {
		for (JobExecutor other : this.all.keepOnly(job, called)) {
			this.methods.computeIfPresent(((JobMethod) other).target(), (target, known) -> {
				known.values().remove(other);
				return known.isEmpty() ? null : known;
			});
		}
	}

	/** Returns the method that the scheduler calls. */
	private JobMethod called(ProxyMethodInvocation call, LockDefinition definition) {
		JobMethod known = known(call, definition);
		if (known != null) {
			return known;
		}
		boolean gone = this.destroyed.contains(JobMethod.target(Objects.requireNonNull(call.getThis())));
		return gone ? new JobMethod(this.scheduler, this.runs, definition, call.getProxy(), call.getMethod())
				: add(definition, call.getProxy(), call.getMethod());
	}

	private @Nullable JobMethod known(ProxyMethodInvocation call, LockDefinition definition) {
		Object target = JobMethod.target(Objects.requireNonNull(call.getThis()));
		return Stream.of(target, call.getProxy())
			.flatMap((key) -> Stream.ofNullable(this.methods.getOrDefault(key, Map.of()).get(definition.location())))
			.findFirst()
			.orElse(null);
	}

	private LockedJob job(LockDefinition definition, JobSchedule schedule, LockKey key) {
		JobDefinition job = Objects.requireNonNull(definition.job());
		return new LockedJob(definition.name(), key, definition.key() != null, definition.location(), schedule,
				job.attempts(), job.onMissed(), definition.request(key).holdAtMost().orElse(null),
				this.selection.client(definition));
	}

}

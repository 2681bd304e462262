/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.spring.DistributedLock;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import io.github.dynamodblock.spring.job.JobCall;
import io.github.dynamodblock.spring.job.JobSchedule;
import io.github.dynamodblock.spring.job.NamedTick;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.ConcurrentLruCache;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies {@link DistributedLock}: matches annotated methods, and runs them under their
 * locks. Register it as an infrastructure bean with a static method, so that it exists
 * before the beans that it advises.
 */
public final class DistributedLockAdvisor extends StaticMethodMatcherPointcutAdvisor implements MethodInterceptor {

	/**
	 * The default order: inside method security, outside transactions and caches.
	 */
	public static final int DEFAULT_ORDER = 1000;

	/**
	 * The default maximum number of locks per call.
	 */
	public static final int DEFAULT_MAX_LOCKS_PER_CALL = 100;

	private static final long serialVersionUID = 1L;

	private static final int MOST_SILENT_OWNERS = 1000;

	private static final String NAMED_TICK = DistributedLockAdvisor.class.getName() + ".namedTick";

	private final transient LockDefinitions definitions;

	private final transient LockSelection selection;

	private final transient ObjectProvider<ScheduledJobs> jobs;

	/** Kept, because beans cannot be looked up while they are destroyed. */
	private transient volatile @Nullable ScheduledJobs foundJobs;

	private volatile int maxLocksPerCall = DEFAULT_MAX_LOCKS_PER_CALL;

	/** Whether a warning about the owner of a lock was logged. */
	private final transient ConcurrentLruCache<List<Object>, AtomicBoolean> silentOwners = new ConcurrentLruCache<>(
			MOST_SILENT_OWNERS, (owner) -> new AtomicBoolean());

	private final transient BodyThreads bodies = new BodyThreads();

	private final transient FutureCalls futures = new FutureCalls(this.bodies);

	/** Created on demand, because Reactor is optional. */
	private final transient Supplier<ReactiveCalls> reactive = SingletonSupplier
		.of(() -> new ReactiveCalls(this.bodies));

	/**
	 * Creates the advisor. Neither function is called before the startup check or the
	 * first call of an annotated method. {@code clients} is called once per name,
	 * {@code naming} once.
	 * @param beanFactory resolves placeholders and beans in expressions
	 * @param clients returns the client that acquires the locks by its bean name;
	 * {@code null} selects the default one
	 * @param naming supplies the naming of keys
	 */
	public DistributedLockAdvisor(ConfigurableBeanFactory beanFactory, Function<@Nullable String, LockClient> clients,
			Supplier<LockNaming> naming) {
		this.definitions = new LockDefinitions(beanFactory);
		this.selection = new LockSelection(clients, naming);
		this.jobs = beanFactory.getBeanProvider(ScheduledJobs.class);
		setClassFilter((type) -> !this.definitions.methods(type).isEmpty());
		setAdvice(this);
		setOrder(DEFAULT_ORDER);
	}

	/**
	 * Sets the maximum number of locks for a call whose key is a collection or an array.
	 * @param maxLocksPerCall the number, at least 1; {@value #DEFAULT_MAX_LOCKS_PER_CALL}
	 * by default
	 * @throws IllegalArgumentException if it is less than 1
	 */
	public void setMaxLocksPerCall(int maxLocksPerCall) {
		if (maxLocksPerCall < 1) {
			throw new IllegalArgumentException("must be at least 1");
		}
		this.maxLocksPerCall = maxLocksPerCall;
	}

	/**
	 * Sets whether the bodies of reactive methods start in virtual threads, and callers'
	 * futures complete in them. The default is platform threads.
	 * @param virtualThreads whether to use virtual threads
	 * @throws UnsupportedOperationException if the JVM has none
	 */
	public void setVirtualThreads(boolean virtualThreads) {
		if (virtualThreads) {
			this.bodies.useVirtualThreads();
		}
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return LockDefinitions.find(method, targetClass) != null;
	}

	/**
	 * {@return the definitions of all annotated methods}
	 */
	public LockDefinitions definitions() {
		return this.definitions;
	}

	/**
	 * {@return the scheduled jobs among the annotated methods, or {@code null} if the
	 * application has no such bean}
	 */
	public @Nullable ScheduledJobs jobs() {
		ScheduledJobs found = this.foundJobs;
		if (found == null) {
			found = this.jobs.getIfAvailable();
			this.foundJobs = found;
		}
		return found;
	}

	/**
	 * {@return the selection of locks and clients for calls}
	 */
	public LockSelection selection() {
		return this.selection;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = Objects.requireNonNull(invocation.getThis(), "The proxy of an annotated method has no target");
		LockDefinition definition = this.definitions.get(invocation.getMethod(), target.getClass());
		Supplier<@Nullable JobSchedule> tick = tick((ProxyMethodInvocation) invocation, target, definition);
		return switch (definition.returnKind()) {
			case VALUE, FUTURE -> runNow(invocation, target, definition, tick);
			// Each subscriber has a separate call, including its key.
			case MONO, SUSPEND -> this.reactive.get().mono(() -> call(invocation, target, definition, tick));
			case FLUX -> this.reactive.get().flux(() -> call(invocation, target, definition, tick));
		};
	}

	/**
	 * Returns a supplier that begins a tick and returns its schedule, or returns
	 * {@code null} for other calls.
	 */
	private static Supplier<@Nullable JobSchedule> tick(ProxyMethodInvocation invocation, Object target,
			LockDefinition definition) {
		JobSchedule schedule = definition.schedule();
		if (definition.job() != null && invocation.getUserAttribute(NAMED_TICK) == null) {
			// Kept for advice outside the lock that repeats the call.
			invocation.setUserAttribute(NAMED_TICK, NamedTick.take(definition.location(), schedule != null));
		}
		if (invocation.getUserAttribute(NAMED_TICK) instanceof NamedTick named) {
			return named::begin;
		}
		boolean suspending = definition.returnKind() == ReturnKind.SUSPEND;
		return (schedule != null && SchedulerCalls.isCalled(invocation.getMethod().getName(), suspending, target))
				? () -> schedule : () -> null;
	}

	private @Nullable Object runNow(MethodInvocation invocation, Object target, LockDefinition definition,
			Supplier<@Nullable JobSchedule> tick) throws Throwable {
		try {
			LockedCall call = call(invocation, target, definition, tick);
			return (definition.returnKind() == ReturnKind.FUTURE) ? this.futures.run(call) : call.runBlocking();
		}
		catch (LockedCall.SkippedException ex) {
			return LockedCall.nothing(definition);
		}
	}

	private LockedCall call(MethodInvocation invocation, Object target, LockDefinition definition,
			Supplier<@Nullable JobSchedule> begin) {
		JobClaim claim = JobClaim.take(definition);
		if (claim != null) {
			return new LockedCall(invocation, target, definition, claim.execution(), claim.call(),
					this::isFirstWarning);
		}
		JobSchedule tick = begin.get();
		List<LockKey> keys = this.selection.keys(definition, invocation.getArguments(), target);
		if (keys.size() > this.maxLocksPerCall) {
			throw new IllegalArgumentException("Lock annotation on " + definition.location() + ": this call needs "
					+ keys.size() + " locks, one for each element of its key, but at most " + this.maxLocksPerCall
					+ " are allowed (dynamodb-lock.advice.max-locks-per-call). Lock something that the elements have "
					+ "in common, or pass fewer elements at a time");
		}
		ScheduledJobs found = (definition.job() != null) ? jobs() : null;
		if (tick != null && (found == null || !found.isConfigured())) {
			throw new IllegalStateException(definition.location() + " is a scheduled job, but the bean '"
					+ ScheduledJobs.BEAN_NAME + "' is missing here, or Spring does not (yet) schedule methods in its "
					+ "context. Enable scheduling in the context that has the auto-configuration of the locks");
		}
		JobCall job = (found != null) ? found.find(invocation, definition, keys, tick) : null;
		// Spring ignores the future that a scheduled method returns.
		boolean resultIgnored = job != null && job.isRun() && definition.schedule() != null;
		LockedExecution execution = LockedCall.execution(definition, this.selection.client(definition), keys, job,
				resultIgnored);
		return new LockedCall(invocation, target, definition, execution, job, this::isFirstWarning);
	}

	/**
	 * Limits the warnings: a method may be called many times a second until the takeover.
	 */
	private boolean isFirstWarning(LockRecord silent) {
		return this.silentOwners.get(List.of(silent.key(), silent.ownerName(), silent.fencingToken()))
			.compareAndSet(false, true);
	}

}

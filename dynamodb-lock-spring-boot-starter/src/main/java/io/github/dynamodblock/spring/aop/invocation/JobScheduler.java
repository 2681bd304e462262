/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.ScheduledMethodRunnable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Spring's schedulers and observations, for runs that no tick has called. Thread-safe.
 */
final class JobScheduler {

	/** The application's class loader, which threads of the JDK's timer do not have. */
	private final @Nullable ClassLoader classLoader = ClassUtils.getDefaultClassLoader();

	/** Set when Spring begins to schedule methods. */
	private volatile @Nullable ScheduledTaskRegistrar registrar;

	/** Uses this registrar if it is the first one, and returns whether it is. */
	boolean begin(ScheduledTaskRegistrar scheduling) {
		if (this.registrar != null) {
			return false;
		}
		this.registrar = scheduling;
		return true;
	}

	/** Returns whether Spring schedules methods in this context. */
	boolean isConfigured() {
		return this.registrar != null;
	}

	/**
	 * Calls a method as Spring's scheduler does, in this thread.
	 * @param ended receives the failure of a publisher, or {@code null}; other failures
	 * are thrown
	 */
	void call(ReturnKind kind, Object proxy, Method method, Consumer<@Nullable Throwable> ended) {
		ScheduledTaskRegistrar spring = registrar();
		if (kind.isReactive()) {
			ReflectionUtils.makeAccessible(method);
			ReactiveCalls.subscribe(kind, proxy, method, spring.getObservationRegistry(), ended);
		}
		else {
			new ScheduledMethodRunnable(proxy, method, null, spring::getObservationRegistry).run();
		}
	}

	private ScheduledTaskRegistrar registrar() {
		ScheduledTaskRegistrar spring = this.registrar;
		if (spring == null) {
			throw new IllegalStateException("this node does not schedule methods");
		}
		return spring;
	}

	/** Runs a task on the scheduler with this bean name, or on the default one. */
	Future<?> submit(String schedulerName, Duration delay, Runnable task) {
		TaskScheduler target = registrar().getScheduler();
		if (target == null) {
			throw new IllegalStateException("Spring has no scheduler");
		}
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

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import io.github.dynamodblock.spring.job.JobCall;
import io.github.dynamodblock.spring.job.JobExecutor;
import io.github.dynamodblock.spring.job.JobRuns;
import io.github.dynamodblock.spring.job.LockedJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.aop.framework.AopProxyUtils;

/**
 * The method of a bean that is a job. It is called through the bean's proxy, so all of
 * its advice applies. Immutable and thread-safe.
 */
final class JobMethod implements JobExecutor {

	private static final Logger logger = LoggerFactory.getLogger(JobMethod.class);

	/** The maximum wait for a scheduler thread and DynamoDB's answer. */
	private static final long LONGEST_WAIT_SECONDS = 20;

	private final JobScheduler scheduler;

	private final JobRuns runs;

	private final LockDefinition definition;

	private final Object proxy;

	private final Method method;

	/**
	 * Creates the method of a bean.
	 * @param scheduler Spring's scheduler
	 * @param runs decides which runs start
	 * @param definition the options in the method's annotations
	 * @param proxy the bean
	 * @param method the method of the bean
	 */
	JobMethod(JobScheduler scheduler, JobRuns runs, LockDefinition definition, Object proxy, Method method) {
		this.scheduler = scheduler;
		this.runs = runs;
		this.definition = definition;
		this.proxy = proxy;
		this.method = method;
	}

	@Override
	public String toString() {
		return "job '" + this.definition.name() + "' (" + this.definition.location() + ")";
	}

	LockDefinition definition() {
		return this.definition;
	}

	private String qualifier() {
		return Objects.requireNonNull(this.definition.job()).scheduler();
	}

	/** Returns the bean behind its proxies. */
	Object target() {
		return target(this.proxy);
	}

	/** Returns the object behind all proxies, or the innermost proxy that hides it. */
	static Object target(Object bean) {
		Object target = AopProxyUtils.getSingletonTarget(bean);
		return (target != null) ? target(target) : bean;
	}

	@Override
	public Runnable later(Duration delay, Runnable task) {
		try {
			Future<?> scheduled = this.scheduler.submit(qualifier(), delay, task);
			return () -> scheduled.cancel(false);
		}
		catch (RuntimeException ex) {
			logger.atLevel(this.runs.isClosed() ? Level.DEBUG : Level.WARN)
				.log("The scheduler rejected {}, so it does not start on this node before its next tick: {}",
						this.definition.location(), ex.getMessage());
			return () -> {
			};
		}
	}

	@Override
	public void call(JobCall call) {
		LockedExecution claim = execution(call);
		if (call.isRun() && !isClaimed(call, claim)) {
			return;
		}
		if (call.isEnd()) {
			// The claim itself records the end.
			claim.acquire();
			claim.execute((locks) -> {
				call.started(locks.get(0));
				return locks;
			});
		}
		else {
			run(new JobClaim(call, claim));
		}
	}

	private LockedExecution execution(JobCall call) {
		return LockedCall.execution(this.definition, call.job().client(), List.of(call.job().key()), call, true);
	}

	/**
	 * Claims a run's lock before the method is called, so Spring and the advice outside
	 * the lock see only runs that start.
	 */
	private static boolean isClaimed(JobCall call, LockedExecution execution) {
		try {
			execution.claim();
			return true;
		}
		catch (LockException | LockWaitInterruptedException ex) {
			if (!call.refused(ex)) {
				logger.error("{} was not started", call, ex);
			}
			return false;
		}
	}

	/** Calls the method as Spring's scheduler does. Its advice takes the claim. */
	private void run(JobClaim claim) {
		JobCall call = claim.call();
		JobClaim.set(claim);
		try {
			this.scheduler.call(this.definition.returnKind(), this.proxy, this.method,
					(failure) -> ended(call, failure));
			if (!this.definition.returnKind().isReactive()) {
				call.answered().complete(null);
			}
		}
		catch (RuntimeException | Error ex) {
			if (isForTheLog(call, ex)) {
				throw ex;
			}
		}
		finally {
			JobClaim.set(null);
			claim.execution().returnClaim(call::unused);
		}
	}

	/** Reports how a publisher ended. */
	private static void ended(JobCall call, @Nullable Throwable failure) {
		if (failure == null) {
			call.answered().complete(null);
		}
		else if (isForTheLog(call, failure)) {
			call.logFailure(failure);
		}
	}

	/** Returns whether to log a failure, because no caller waits for the grant. */
	private static boolean isForTheLog(JobCall call, Throwable failure) {
		boolean begun = call.answered().isDone() && !call.answered().isCompletedExceptionally();
		return begun || (call.answered().completeExceptionally(failure) && call.isRun());
	}

	@Override
	public void fire(Runnable ended) {
		ReturnKind kind = this.definition.returnKind();
		this.scheduler.call(kind, this.proxy, this.method, (failure) -> {
			if (failure != null) {
				logger.error("{} failed", this, failure);
			}
			ended.run();
		});
		if (!kind.isReactive()) {
			ended.run();
		}
	}

	/**
	 * Calls the method outside its schedule, on its scheduler, and waits for the grant.
	 */
	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // the scheduler handles what it throws
	public void runNow(LockedJob locked) {
		JobCall call = this.runs.call(locked);
		try {
			if (this.runs.isClosed()) {
				throw new IllegalStateException("the application context is stopped or closed");
			}
			this.scheduler.submit(qualifier(), Duration.ZERO, () -> {
				if (!call.answered().isDone()) {
					call(call);
				}
			});
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException(
					locked + " was not run on this node: " + ex.getMessage() + ". Run it on another node", ex);
		}
		await(call);
	}

	/** Waits for the grant. If the caller stops waiting, the method is not called. */
	private static void await(JobCall call) {
		String problem = call.job() + " did not get its lock on this node within " + LONGEST_WAIT_SECONDS
				+ " s, probably because its scheduler has no free thread. Run it on another node";
		try {
			call.answered().get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
			return;
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException refusal) ? refusal
					: new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			problem = call.job() + " was not run: the caller was interrupted";
		}
		catch (TimeoutException ex) {
			logger.debug("The lock was not granted in time for {}", call.job());
		}
		IllegalStateException left = new IllegalStateException(problem);
		if (call.answered().completeExceptionally(left)) {
			throw left;
		}
	}

}

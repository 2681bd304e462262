/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.dynamodblock.LockException;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.aop.definition.JobDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.job.JobCall;
import io.github.dynamodblock.spring.job.JobExecutor;
import io.github.dynamodblock.spring.job.LockedJob;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.util.ReflectionUtils;

/**
 * The method of a job, which is called through its proxy, so that all of its advice
 * applies. Immutable and thread-safe.
 *
 * @param jobs the jobs of the application
 * @param definition the options in the method's annotations
 * @param job how it is scheduled
 * @param proxy the bean
 * @param method the method of the bean
 */
record JobMethod(ScheduledJobs jobs, LockDefinition definition, JobDefinition job, Object proxy,
		Method method) implements JobExecutor {

	private static final Logger logger = LoggerFactory.getLogger(JobMethod.class);

	/** The maximum wait for a scheduler thread and DynamoDB's answer. */
	private static final long LONGEST_WAIT_SECONDS = 20;

	@Override
	public Runnable later(Duration delay, Runnable task) {
		try {
			Future<?> scheduled = this.jobs.submit(this.job.scheduler(), delay, task);
			return () -> scheduled.cancel(false);
		}
		catch (RuntimeException ex) {
			logger.atLevel(this.jobs.isClosed() ? Level.DEBUG : Level.WARN)
				.log("The scheduler rejected {}, so it does not start on this node before its next tick: {}",
						this.definition.location(), ex.getMessage());
			return () -> {
			};
		}
	}

	@Override
	public void call(JobCall call) {
		if (Objects.requireNonNull(call.run()).end() == null) {
			invoke(call);
		}
		else {
			recordEnd(call);
		}
	}

	/** Records the end of a run that is not rerun, by the claim itself. */
	private void recordEnd(JobCall call) {
		LockedJob locked = call.job();
		LockedExecution recording = new LockedExecution(locked.client(), this.definition.location(),
				List.of(call.claim(this.definition.request(locked.key()))), false);
		recording.releaseWith(call::ended);
		try {
			recording.acquire();
			recording.execute((locks) -> {
				call.started(locks.get(0));
				return locks;
			});
		}
		catch (LockException | LockWaitInterruptedException ex) {
			call.refused(ex);
		}
	}

	/**
	 * Calls the method outside its schedule, on its scheduler, and awaits the grant.
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // the task logs what it throws
	void runNow(LockedJob locked) {
		JobCall call = this.jobs.runs().call(locked);
		try {
			if (this.jobs.isClosed()) {
				throw new IllegalStateException("the node is shutting down");
			}
			this.jobs.submit(this.job.scheduler(), Duration.ZERO, () -> {
				if (!call.answered().isDone()) {
					invoke(call);
				}
			});
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException(
					locked + " was not run on this node: " + ex.getMessage() + ". Run it on another node", ex);
		}
		await(call);
	}

	/** Awaits the grant. If the caller stops waiting, the method is not called. */
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

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private void invoke(JobCall call) {
		ScheduledJobs.CALLS.set(call);
		try {
			ReflectionUtils.makeAccessible(this.method);
			if (this.definition.returnKind().isReactive()) {
				ReactiveCalls.subscribe(this.definition.returnKind(), this.proxy, this.method,
						(failure) -> report(call, failure));
			}
			else if (ReflectionUtils.invokeMethod(this.method, this.proxy) instanceof CompletionStage<?> stage) {
				stage.whenComplete((result, failure) -> report(call, failure));
			}
			else {
				report(call, null);
			}
		}
		catch (Throwable ex) {
			report(call, ex);
		}
		finally {
			ScheduledJobs.CALLS.remove();
		}
	}

	/** Reports a failure to a caller that still waits for the grant, or logs it. */
	private static void report(JobCall call, @Nullable Throwable thrown) {
		Throwable failure = JobCall.cause(thrown);
		boolean begun = call.answered().isDone() && !call.answered().isCompletedExceptionally();
		if (failure == null) {
			call.answered().complete(null);
		}
		else if (begun) {
			logger.error("{} failed", (call.run() != null) ? call.run() : call.job(), failure);
		}
		else if (call.answered().completeExceptionally(failure) && call.run() != null) {
			logger.error("{} was not started", call.run(), failure);
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockException;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRecord;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LogText;
import io.github.dynamodblock.spring.LockContext;
import io.github.dynamodblock.spring.LockWaitInterruptedException;
import io.github.dynamodblock.spring.LockedExecution;
import io.github.dynamodblock.spring.OnBusy;
import io.github.dynamodblock.spring.OnLost;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import io.github.dynamodblock.spring.job.JobCall;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * One call of an annotated method: its locks, and the body to run under them.
 *
 * @param invocation the call, at the advice's position
 * @param target the object that is called
 * @param definition the options in the annotation
 * @param execution acquires the locks and releases them
 * @param job the call's part in a job, or {@code null} for plain locks
 * @param warnings returns whether a warning about an owner would be the first one
 */
record LockedCall(MethodInvocation invocation, Object target, LockDefinition definition, LockedExecution execution,
		@Nullable JobCall job, Predicate<LockRecord> warnings) {

	private static final Logger logger = LoggerFactory.getLogger(LockedCall.class);

	/** Marks calls whose tick has started. Clones of an invocation share the mark. */
	private static final String STARTED = LockedCall.class.getName() + ".started";

	/**
	 * Returns whether the tick of a call has started. If advice outside the lock repeats
	 * the call, it is the same tick.
	 */
	static boolean isStarted(ProxyMethodInvocation invocation) {
		return invocation.getUserAttribute(STARTED) != null;
	}

	/**
	 * Returns the executor that starts the releases of an asynchronous call: this thread,
	 * unless listeners must be notified of the end of a job, because they may block.
	 */
	Executor releasing(Executor bodies) {
		return (this.job != null) ? bodies : Runnable::run;
	}

	/**
	 * Prepares the execution of a call.
	 * @param definition the options in the annotation
	 * @param client the client that grants the locks
	 * @param keys the locks, in the order in which they are acquired; at least one
	 * @param job the call's part in a job, or {@code null} for plain locks
	 * @param resultIgnored whether the caller of a job ignores the future that it returns
	 */
	static LockedExecution execution(LockDefinition definition, LockClient client, List<LockKey> keys,
			@Nullable JobCall job, boolean resultIgnored) {
		LockedExecution execution = new LockedExecution(client, definition.location(), keys.stream().map((key) -> {
			LockRequest request = definition.request(key);
			return (job != null) ? job.claim(request) : request;
		}).toList(), definition.onLost() == OnLost.INTERRUPT);
		if (job != null) {
			boolean failureIgnored = resultIgnored && definition.returnKind() == ReturnKind.FUTURE;
			execution.releaseWith((failure) -> {
				if (failureIgnored) {
					job.logFailure(failure);
				}
				return job.ended(failure);
			});
		}
		return execution;
	}

	/**
	 * Acquires the locks in the caller's thread.
	 * @throws InterruptedException if the thread is interrupted and the method declares
	 * this exception
	 */
	void acquire() throws InterruptedException {
		try {
			this.execution.acquire();
		}
		catch (LockWaitInterruptedException ex) {
			if (ex.getCause() instanceof InterruptedException interrupt
					&& Arrays.stream(this.invocation.getMethod().getExceptionTypes())
						.anyMatch((type) -> type.isAssignableFrom(InterruptedException.class))) {
				Thread.interrupted();
				throw interrupt;
			}
			throw refused(ex);
		}
		catch (LockException ex) {
			throw refused(ex);
		}
	}

	/**
	 * Reports to the job that its lock could not be acquired.
	 * @return the exception that the call throws
	 */
	RuntimeException refused(RuntimeException failure) {
		return (this.job != null && this.job.refused(failure)) ? new SkippedException() : failure;
	}

	private void started(List<HeldLock> locks) {
		if (this.job != null) {
			this.job.started(locks.get(0));
			if (!this.definition.returnKind().isReactive()) {
				// Each tick subscribes to a reactive call.
				((ProxyMethodInvocation) this.invocation).setUserAttribute(STARTED, true);
			}
		}
	}

	/** Runs a call whose work is done when the method returns, in the caller's thread. */
	@SuppressWarnings("NullAway") // does not see that the result's type is nullable
	@Nullable Object runBlocking() throws Throwable {
		try {
			acquire();
		}
		catch (LockNotGrantedException ex) {
			return notGranted(ex);
		}
		return this.execution.<@Nullable Object, Throwable>execute(this::proceed);
	}

	/** Runs the body. May be called once. */
	@Nullable Object proceed(List<HeldLock> locks) throws Throwable {
		started(locks);
		return this.invocation.proceed();
	}

	/**
	 * Runs the body. May be called any number of times, in any thread. Advice that looks
	 * up the call in its thread, such as an aspect, finds it.
	 * @param context the current locks for the coroutine of a suspend function, on each
	 * of its threads
	 */
	@Nullable Object proceedAnew(List<HeldLock> locks, LockContext.Snapshot context) throws Throwable {
		started(locks);
		@Nullable Object[] arguments = this.invocation.getArguments();
		if (this.definition.returnKind() == ReturnKind.SUSPEND) {
			arguments = CoroutineArguments.within(context, arguments);
		}
		MethodInvocation copy = ((ProxyMethodInvocation) this.invocation).invocableClone(arguments);
		return ExposeInvocationInterceptor.INSTANCE.invoke(copy);
	}

	/**
	 * Returns the call's result if a lock was not granted.
	 * @param refusal why a lock was not granted
	 * @return the result of the fallback or of a skipped call
	 * @throws Throwable the refusal itself, or the fallback's exception
	 */
	@Nullable Object notGranted(LockNotGrantedException refusal) throws Throwable {
		if (this.definition.onBusy() == OnBusy.THROW) {
			throw refusal;
		}
		if (this.definition.fallback() != null) {
			return this.definition.fallback().invoke(this.target, this.invocation.getArguments(), refusal);
		}
		logSkip(refusal);
		return nothing(this.definition);
	}

	/** Returns the result of a skipped call. Publishers emit nothing. */
	static @Nullable Object nothing(LockDefinition definition) {
		return (definition.returnKind() == ReturnKind.FUTURE) ? CompletableFuture.completedFuture(null)
				: definition.empty();
	}

	private void logSkip(LockNotGrantedException refusal) {
		if (refusal.record()
			.filter((holder) -> holder.isOwnerSilent(Instant.now()))
			.filter(this.warnings)
			.isPresent()) {
			logger.warn(
					"Skipped {}, but the owner of the lock has not renewed it since {}, although its lease is {}. Its "
							+ "process has probably crashed; if it is alive, its clock or this node's clock is wrong. "
							+ "{}",
					this.definition.location(), refusal.record().flatMap(LockRecord::renewedAt).orElseThrow(),
					LogText.of(refusal.record().get().leaseDuration()), refusal.getMessage());
		}
		else {
			logger.debug("Skipped {}: {}", this.definition.location(), refusal.getMessage());
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LockToken;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * A lock client whose acquisitions are observed, each from its beginning to its end, so
 * that a trace shows the wait, and whose locks are measured. It works for clients of any
 * making, since the meters listen to each request. Not final, since aspects whose
 * pointcut matches it make a subclass.
 */
class InstrumentedLockClient extends LockClientDecorator {

	private static final LockObservationConvention DEFAULT = new DefaultLockObservationConvention();

	private final String clientName;

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<Optional<LockObservationConvention>> convention;

	private final AcquisitionObservation.Failures failures;

	private final UnaryOperator<LockRequest> measured;

	InstrumentedLockClient(LockClient delegate, String clientName, Supplier<ObservationRegistry> registry,
			Supplier<Optional<LockObservationConvention>> convention, UnaryOperator<LockRequest> measured) {
		super(delegate);
		this.clientName = clientName;
		this.registry = registry;
		this.convention = convention;
		this.measured = measured;
		this.failures = new AcquisitionObservation.Failures(clientName);
	}

	@Override
	public HeldLock acquire(LockRequest request) throws InterruptedException {
		return observed(request, () -> delegate().acquire(this.measured.apply(request)),
				(lock) -> AcquisitionOutcome.ACQUIRED);
	}

	@Override
	public Optional<HeldLock> tryAcquire(LockRequest request) throws InterruptedException {
		return observed(request, () -> delegate().tryAcquire(this.measured.apply(request)), AcquisitionOutcome::of);
	}

	@Override
	public HeldLock adopt(LockToken token, LockRequest request) throws InterruptedException {
		return observed(request, () -> delegate().adopt(token, this.measured.apply(request)),
				(lock) -> AcquisitionOutcome.ACQUIRED);
	}

	private <T> T observed(LockRequest request, Attempt<T> attempt, Function<T, AcquisitionOutcome> outcome)
			throws InterruptedException {
		LockAcquisitionContext context = new LockAcquisitionContext(this.clientName, request);
		AcquisitionObservation observation = start(context);
		try {
			T result = scoped(observation, attempt);
			context.ended(outcome.apply(result));
			return result;
		}
		catch (InterruptedException | RuntimeException ex) {
			problem(observation, context, ex);
			throw ex;
		}
		finally {
			observation.stop();
		}
	}

	private static <T> T scoped(AcquisitionObservation observation, Attempt<T> attempt) throws InterruptedException {
		observation.openScope();
		try {
			return attempt.make();
		}
		finally {
			observation.closeScope();
		}
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	public CompletableFuture<HeldLock> acquireAsync(LockRequest request, Executor executor) {
		LockAcquisitionContext context = new LockAcquisitionContext(this.clientName, request);
		AcquisitionObservation observation = start(context);
		CompletableFuture<HeldLock> future;
		try {
			future = delegate().acquireAsync(this.measured.apply(request), executor);
		}
		catch (RuntimeException ex) {
			end(observation, context, ex);
			throw ex;
		}
		// The same future is handed on: cancelling another one would not give up.
		future.whenComplete((lock, problem) -> end(observation, context, problem));
		return future;
	}

	private static void end(AcquisitionObservation observation, LockAcquisitionContext context,
			@Nullable Throwable problem) {
		problem(observation, context, problem);
		observation.stop();
	}

	/**
	 * A busy lock is an outcome as expected as a granted one; what failed is an error.
	 */
	private static void problem(AcquisitionObservation observation, LockAcquisitionContext context,
			@Nullable Throwable problem) {
		AcquisitionOutcome outcome = AcquisitionOutcome.of(problem);
		context.ended(outcome);
		if (problem != null && outcome != AcquisitionOutcome.BUSY) {
			observation.error(problem);
		}
	}

	private AcquisitionObservation start(LockAcquisitionContext context) {
		return AcquisitionObservation.start(this.failures, this.registry,
				(registry) -> Observation.start(this.convention.get().orElse(null), DEFAULT, () -> context, registry));
	}

	/** What gives the lock or throws. */
	@FunctionalInterface
	private interface Attempt<T> {

		T make() throws InterruptedException;

	}

}

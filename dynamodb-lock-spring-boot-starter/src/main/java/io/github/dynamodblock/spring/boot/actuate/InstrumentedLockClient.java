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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock client whose acquisitions are observed, each from its beginning to its end, so
 * that a trace shows the wait, and whose locks are measured. It works for clients of any
 * making, since the meters listen to each request. Not final, since aspects whose
 * pointcut matches it make a subclass.
 */
class InstrumentedLockClient extends LockClientDecorator {

	private static final Logger logger = LoggerFactory.getLogger(InstrumentedLockClient.class);

	private static final LockObservationConvention DEFAULT = new DefaultLockObservationConvention();

	private final String clientName;

	private final Supplier<ObservationRegistry> registry;

	private final Supplier<Optional<LockObservationConvention>> convention;

	private final UnaryOperator<LockRequest> measured;

	InstrumentedLockClient(LockClient delegate, String clientName, Supplier<ObservationRegistry> registry,
			Supplier<Optional<LockObservationConvention>> convention, UnaryOperator<LockRequest> measured) {
		super(delegate);
		this.clientName = clientName;
		this.registry = registry;
		this.convention = convention;
		this.measured = measured;
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
		Observation observation = start(context);
		Observation.Scope scope = observation.openScope();
		try {
			T result = attempt.make();
			ended(observation, scope, context, outcome.apply(result), null);
			return result;
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			ended(observation, scope, context, AcquisitionOutcome.of(ex), ex);
			throw ex;
		}
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	public CompletableFuture<HeldLock> acquireAsync(LockRequest request, Executor executor) {
		LockAcquisitionContext context = new LockAcquisitionContext(this.clientName, request);
		Observation observation = start(context);
		CompletableFuture<HeldLock> future;
		try {
			future = delegate().acquireAsync(this.measured.apply(request), executor);
		}
		catch (RuntimeException ex) {
			ended(observation, Observation.Scope.NOOP, context, AcquisitionOutcome.of(ex), ex);
			throw ex;
		}
		// The same future is handed on: cancelling another one would not give up.
		future.whenComplete((lock, problem) -> ended(observation, Observation.Scope.NOOP, context,
				AcquisitionOutcome.of(problem), problem));
		return future;
	}

	private void ended(Observation observation, Observation.Scope scope, LockAcquisitionContext context,
			AcquisitionOutcome outcome, @Nullable Throwable problem) {
		context.ended(outcome);
		safely(scope::close);
		if (this.registry.get().getCurrentObservationScope() == scope) {
			// A handler failed: what comes next in this thread is not part of it.
			this.registry.get().setCurrentObservationScope(scope.getPreviousObservationScope());
		}
		if (problem != null && outcome != AcquisitionOutcome.BUSY) {
			safely(() -> observation.error(problem));
		}
		safely(observation::stop);
	}

	/** A handler that fails once a lock is granted must not leave it without a holder. */
	private void safely(Runnable step) {
		try {
			step.run();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("An observation of lock client '{}' failed, which does not affect the lock: {}",
					this.clientName, ex.toString());
		}
	}

	private Observation start(LockAcquisitionContext context) {
		return Observation.start(this.convention.get().orElse(null), DEFAULT, () -> context, this.registry.get());
	}

	@FunctionalInterface
	private interface Attempt<T> {

		T make() throws InterruptedException;

	}

}

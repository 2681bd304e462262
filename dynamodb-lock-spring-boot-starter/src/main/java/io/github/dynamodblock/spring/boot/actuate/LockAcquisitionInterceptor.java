/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.lang.reflect.InvocationHandler;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Observes each acquisition of a lock client from its beginning to its end, so that a
 * trace shows the wait, and attaches the meters to its request.
 */
final class LockAcquisitionInterceptor implements MethodInterceptor {

	private static final Logger logger = LoggerFactory.getLogger(LockAcquisitionInterceptor.class);

	private static final DefaultLockObservationConvention CONVENTION = new DefaultLockObservationConvention();

	private final String clientName;

	private final Supplier<ObservationRegistry> observations;

	private final @Nullable LockMeters meters;

	LockAcquisitionInterceptor(String clientName, Supplier<ObservationRegistry> observations,
			@Nullable LockMeters meters) {
		this.clientName = clientName;
		this.observations = observations;
		this.meters = meters;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		@Nullable Object[] arguments = invocation.getArguments();
		if (invocation.getMethod().isDefault() && invocation instanceof ProxyMethodInvocation call) {
			// Calls one of the methods below on the proxy.
			return InvocationHandler.invokeDefault(call.getProxy(), call.getMethod(), arguments);
		}
		for (int i = 0; i < arguments.length; i++) {
			if (arguments[i] instanceof LockRequest request) {
				arguments[i] = (this.meters != null) ? this.meters.measured(request) : request;
				return observed(invocation, new LockAcquisitionContext(this.clientName, request));
			}
		}
		return invocation.proceed();
	}

	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	private @Nullable Object observed(MethodInvocation acquisition, LockAcquisitionContext context) throws Throwable {
		Observation observation = LockObservationDocumentation.ACQUIRE.start(null, CONVENTION, () -> context,
				this.observations.get());
		Object result;
		try (Observation.Scope scope = observation.openScope()) {
			result = acquisition.proceed();
		}
		catch (Throwable ex) {
			end(observation, context, null, ex);
			throw ex;
		}
		if (result instanceof CompletableFuture<?> future) {
			// Returns the same future, because cancelling another one would not give up.
			future.whenComplete((lock, problem) -> end(observation, context, lock, problem));
		}
		else {
			end(observation, context, result, null);
		}
		return result;
	}

	private void end(Observation observation, LockAcquisitionContext context, @Nullable Object result,
			@Nullable Throwable problem) {
		context.ended(result, problem);
		try {
			if (problem != null && !(problem instanceof LockNotGrantedException)) {
				observation.error(problem);
			}
			observation.stop();
		}
		catch (RuntimeException ex) {
			// A lock that was granted must reach its caller, who releases it.
			logger.warn("An observation of lock client '{}' failed; the lock is not affected", this.clientName, ex);
		}
	}

}

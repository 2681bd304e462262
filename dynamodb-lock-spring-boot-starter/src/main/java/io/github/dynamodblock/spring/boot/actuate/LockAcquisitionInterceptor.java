/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.dynamodblock.LockNotGrantedException;
import io.github.dynamodblock.LockRequest;
import io.github.dynamodblock.LogText;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ClassUtils;

/**
 * Observes each acquisition of a lock client from beginning to end, so a trace shows the
 * wait, and adds the meters to its request.
 */
final class LockAcquisitionInterceptor implements MethodInterceptor {

	private static final Logger logger = LoggerFactory.getLogger(LockAcquisitionInterceptor.class);

	private static final DefaultLockObservationConvention CONVENTION = new DefaultLockObservationConvention();

	private static final int MOST_NAMES = 1000;

	private static final String OTHER = "other";

	private final String clientName;

	private final Supplier<ObservationRegistry> observations;

	private final @Nullable LockMeters meters;

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean warned = new AtomicBoolean();

	LockAcquisitionInterceptor(String clientName, Supplier<ObservationRegistry> observations,
			@Nullable LockMeters meters) {
		this.clientName = clientName;
		this.observations = observations;
		this.meters = meters;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		@Nullable Object[] arguments = invocation.getArguments();
		if (invocation instanceof ProxyMethodInvocation call && isInheritedDefault(invocation)) {
			// The default method then calls one of the methods below, on the proxy.
			return invokeDefault(call.getProxy(), call.getMethod(), arguments);
		}
		if (!invocation.getMethod().isDefault() && arguments.length > 0
				&& arguments[0] instanceof LockRequest request) {
			String name = name(request);
			arguments[0] = (this.meters != null) ? this.meters.measured(request, name) : request;
			return observed(invocation, new LockAcquisitionContext(this.clientName, name, request));
		}
		return invocation.proceed();
	}

	/** Returns whether the client's class does not override a default method. */
	private static boolean isInheritedDefault(MethodInvocation invocation) {
		Object client = invocation.getThis();
		Method method = invocation.getMethod();
		// A proxy implements all methods, but only passes them on.
		return method.isDefault() && (client == null || Proxy.isProxyClass(client.getClass())
				|| ClassUtils.getMostSpecificMethod(method, client.getClass()).isDefault());
	}

	private static @Nullable Object invokeDefault(Object proxy, Method method, @Nullable Object[] arguments)
			throws Throwable {
		if (Proxy.isProxyClass(proxy.getClass())) {
			return InvocationHandler.invokeDefault(proxy, method, arguments);
		}
		Class<?> type = method.getDeclaringClass();
		return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
			.unreflectSpecial(method, type)
			.bindTo(proxy)
			.invokeWithArguments(arguments);
	}

	/**
	 * Returns the name of a lock in meters and observations, which is never its key: each
	 * name costs more than a dozen meters for as long as the client lives.
	 */
	private String name(LockRequest request) {
		String name = request.name().orElse("unnamed");
		if (this.names.size() < MOST_NAMES) {
			this.names.add(name);
		}
		if (this.names.contains(name)) {
			return name;
		}
		if (this.warned.compareAndSet(false, true)) {
			logger.warn(
					"Locks of client '{}' have more than {} names. Further ones, such as '{}', are measured together "
							+ "as '{}'. Use few names: a name is for a kind of lock, the key for each lock",
					this.clientName, MOST_NAMES, LogText.of(name), OTHER);
		}
		return OTHER;
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
			// Returns the same future, because cancelling another one would not give up
			// the acquisition.
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
			// A granted lock must reach its caller, who releases it.
			logger.warn("An observation of lock client '{}' failed; the lock is not affected", this.clientName, ex);
		}
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.dynamodblock.LockClient;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.LockNaming;
import io.github.dynamodblock.spring.aop.definition.KeyExpression;
import io.github.dynamodblock.spring.aop.definition.LockDefinition;
import io.github.dynamodblock.spring.aop.definition.LockDefinitions;
import io.github.dynamodblock.spring.aop.definition.ReturnKind;
import io.github.dynamodblock.spring.job.JobCall;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Runs an annotated method while it holds the method's locks. The clients and the naming
 * are asked for at the first call, so that the advice makes no bean before its time.
 */
final class DistributedLockInterceptor implements MethodInterceptor, AutoCloseable {

	private final LockDefinitions definitions;

	private final ByLockClient<LockClient> clients;

	private final Supplier<LockNaming> naming;

	private final LockThreads releases = LockThreads.forReleases();

	private final LockThreads bodies = LockThreads.forBodies();

	private volatile int maxLocksPerCall = DistributedLockAdvisor.DEFAULT_MAX_LOCKS_PER_CALL;

	private final ObjectProvider<ScheduledJobs> jobs;

	/** Kept, since none is looked up any more while beans are destroyed. */
	private volatile @Nullable ScheduledJobs foundJobs;

	private final FutureCalls futures = new FutureCalls(this.releases, this.bodies);

	/** Made when it is needed, since Reactor need not be there. */
	private volatile @Nullable ReactiveCalls reactive;

	DistributedLockInterceptor(LockDefinitions definitions, ByLockClient<LockClient> clients,
			Supplier<LockNaming> naming, ObjectProvider<ScheduledJobs> jobs) {
		this.jobs = jobs;
		this.definitions = definitions;
		this.clients = clients;
		this.naming = naming;
	}

	void setMaxLocksPerCall(int maxLocksPerCall) {
		this.maxLocksPerCall = maxLocksPerCall;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = Objects.requireNonNull(invocation.getThis(), "The proxy of an annotated method has no target");
		LockDefinition definition = this.definitions.get(invocation.getMethod(), target.getClass());
		boolean scheduled = definition.job() != null && SchedulerCalls.isCalled(invocation.getMethod().getName(),
				definition.returnKind() == ReturnKind.SUSPEND, target);
		return switch (definition.returnKind()) {
			case VALUE, OPTIONAL, OPTIONAL_INT, OPTIONAL_LONG, OPTIONAL_DOUBLE, FUTURE ->
				runNow(invocation, target, definition, scheduled);
			// For each subscriber anew, its key included.
			case MONO, SUSPEND -> reactive().mono(() -> call(invocation, target, definition, scheduled));
			case FLUX -> reactive().flux(() -> call(invocation, target, definition, scheduled));
		};
	}

	private @Nullable Object runNow(MethodInvocation invocation, Object target, LockDefinition definition,
			boolean scheduled) throws Throwable {
		try {
			LockedCall call = call(invocation, target, definition, scheduled);
			return (definition.returnKind() == ReturnKind.FUTURE) ? this.futures.run(call) : call.runBlocking();
		}
		catch (ScheduledJobs.SkippedException ex) {
			return LockedCall.nothing(definition.returnKind());
		}
	}

	@Nullable ScheduledJobs jobs() {
		ScheduledJobs found = this.foundJobs;
		if (found == null) {
			found = this.jobs.getIfAvailable();
			this.foundJobs = found;
		}
		return found;
	}

	private ReactiveCalls reactive() {
		ReactiveCalls made = this.reactive;
		if (made == null) {
			// A second one, made at the same time, would do the same.
			made = new ReactiveCalls(this.releases, this.bodies);
			this.reactive = made;
		}
		return made;
	}

	private LockedCall call(MethodInvocation invocation, Object target, LockDefinition definition, boolean scheduled) {
		LockKey given = ScheduledJobs.key(definition);
		List<LockKey> keys = (given != null) ? List.of(given) : keys(definition, invocation.getArguments(), target);
		if (keys.size() > this.maxLocksPerCall) {
			throw new IllegalArgumentException("Lock annotation on " + definition.location() + ": this call takes "
					+ keys.size() + " locks, one for each element of its key, and at most " + this.maxLocksPerCall
					+ " are allowed (dynamodb-lock.advice.max-locks-per-call). Lock what the elements have in common, "
					+ "or call the method for fewer at a time");
		}
		return new LockedCall(invocation, target, definition, this.clients.get(definition.lockClient()), keys,
				(definition.job() != null) ? job(invocation, definition, keys, scheduled) : null);
	}

	/** Without scheduling, calls have plain locks. */
	private @Nullable JobCall job(MethodInvocation invocation, LockDefinition definition, List<LockKey> keys,
			boolean scheduled) {
		ScheduledJobs found = jobs();
		if (found == null && scheduled) {
			throw new IllegalStateException(definition.location() + " is a job, and this application had no scheduling "
					+ "when its locks were configured. Put @EnableScheduling on a class of the application");
		}
		return (found != null) ? found.find(invocation, definition, keys, scheduled) : null;
	}

	private List<LockKey> keys(LockDefinition definition, @Nullable Object[] arguments, Object target) {
		KeyExpression expression = definition.key();
		List<@Nullable String> values = Collections.singletonList(null);
		if (expression != null) {
			values = Collections.unmodifiableList(expression.evaluate(arguments, target));
		}
		LockNaming naming = this.naming.get();
		try {
			return values.stream().map((value) -> naming.key(definition.name(), value)).toList();
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"Lock annotation on " + definition.location() + ": no lock has such a key. " + ex.getMessage(), ex);
		}
	}

	/** Ends its own threads. Calls that are still running end as they should. */
	@Override
	public void close() {
		// Bodies keep theirs, which end when they are idle: a grant that is under way
		// must
		// not run one in a thread of the lock client.
		this.releases.close();
	}

}

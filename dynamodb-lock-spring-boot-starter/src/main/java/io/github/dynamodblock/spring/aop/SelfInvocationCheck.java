/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.asm.Type;

/**
 * No other method of the bean calls the annotated one on {@code this}, past the proxy.
 */
final class SelfInvocationCheck implements AnnotatedMethodCheck {

	private static final Logger logger = LoggerFactory.getLogger(SelfInvocationCheck.class);

	private final Map<String, AnnotatedMethod> methods = new HashMap<>();

	private final Map<Class<?>, Set<SelfInvocation>> invocations = new HashMap<>();

	private final LockDefinitions definitions;

	private final boolean fail;

	private final Set<String> reported = new HashSet<>();

	/**
	 * Creates the check.
	 * @param methods all annotated methods
	 * @param definitions what their annotations say
	 * @param fail whether to throw rather than to warn
	 */
	SelfInvocationCheck(Collection<AnnotatedMethod> methods, LockDefinitions definitions, boolean fail) {
		methods.forEach((method) -> this.methods.put(key(method.beanClass(), signature(method)), method));
		this.definitions = definitions;
		this.fail = fail;
	}

	@Override
	public void check(AnnotatedMethod annotated, LockDefinition definition) {
		String signature = signature(annotated);
		for (SelfInvocation invocation : this.invocations.computeIfAbsent(annotated.beanClass(), SelfInvocations::of)) {
			if (invocation.calleeSignature().equals(signature)
					&& !runsUnderTheSameLock(annotated.beanClass(), invocation, definition)) {
				report(definition, invocation);
			}
		}
	}

	private void report(LockDefinition definition, SelfInvocation invocation) {
		String problem = invocation.callerClass() + "." + invocation.caller()
				+ " calls it through 'this', past the proxy, so that this call runs without the lock. Call it from "
				+ "another bean, or through the bean itself, injected as an ObjectProvider";
		if (this.fail) {
			throw new InvalidDistributedLockException(definition.location(), null, problem, null);
		}
		if (this.reported.add(definition.location() + problem)) {
			logger.warn("@DistributedLock on {}: {}", definition.location(), problem);
		}
	}

	/**
	 * Of two locks with keys it is not known before the call whether they are the same.
	 */
	private boolean runsUnderTheSameLock(Class<?> beanClass, SelfInvocation invocation, LockDefinition callee) {
		AnnotatedMethod annotated = this.methods.get(key(beanClass, invocation.callerSignature()));
		LockDefinition caller = (annotated != null) ? this.definitions.get(annotated.method(), beanClass) : null;
		return caller != null && caller.key() == null && callee.key() == null && caller.name().equals(callee.name())
				&& Objects.equals(caller.lockClient(), callee.lockClient());
	}

	private static String signature(AnnotatedMethod annotated) {
		return annotated.method().getName() + Type.getMethodDescriptor(annotated.method());
	}

	private static String key(Class<?> beanClass, String signature) {
		return beanClass.getName() + "." + signature;
	}

}

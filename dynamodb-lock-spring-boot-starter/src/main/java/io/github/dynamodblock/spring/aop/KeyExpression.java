/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ClassUtils;

/**
 * The key expression of one method, parsed and checked. Thread-safe.
 */
final class KeyExpression {

	private final Expression expression;

	private final Method method;

	private final String location;

	private final StandardEvaluationContext delegates;

	private final ParameterNameDiscoverer parameterNames;

	KeyExpression(Expression expression, Method method, String location, StandardEvaluationContext delegates,
			ParameterNameDiscoverer parameterNames) {
		this.expression = expression;
		this.method = method;
		this.location = location;
		this.delegates = delegates;
		this.parameterNames = parameterNames;
	}

	/**
	 * Evaluates the expression for one call.
	 * @param arguments the arguments of the call
	 * @param target the object that is called
	 * @return the key as text, not blank
	 * @throws IllegalArgumentException if there is no such text
	 */
	String evaluate(@Nullable Object[] arguments, Object target) {
		KeyRoot root = new KeyRoot(this.method, arguments, target, target.getClass());
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(root, this.method, arguments,
				this.parameterNames);
		this.delegates.applyDelegatesTo(context);
		Object value;
		try {
			value = this.expression.getValue(context);
		}
		catch (RuntimeException ex) {
			throw unusable("cannot be evaluated for this call: " + ex.getMessage(), ex);
		}
		return text(value);
	}

	private String text(@Nullable Object value) {
		if (value == null) {
			throw unusable("is null for this call; a lock needs a value", null);
		}
		if (!ClassUtils.isSimpleValueType(value.getClass())) {
			throw unusable("gives a " + value.getClass().getTypeName() + ", which is not a simple value; name the "
					+ "property that identifies it, such as .id, or write .toString() if its text does", null);
		}
		String text = (value instanceof Enum<?> constant) ? constant.name() : value.toString();
		if (text.isBlank()) {
			throw unusable("is blank for this call; a lock needs a value", null);
		}
		return text;
	}

	private IllegalArgumentException unusable(String problem, @Nullable RuntimeException cause) {
		return new IllegalArgumentException("@DistributedLock on " + this.location + ": the key \""
				+ this.expression.getExpressionString() + "\" " + problem, cause);
	}

}

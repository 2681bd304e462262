/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import io.github.dynamodblock.Printable;
import io.github.dynamodblock.spring.LockNaming;
import org.jspecify.annotations.Nullable;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ObjectUtils;

/**
 * The key expression of one method, parsed and checked. Thread-safe.
 */
public final class KeyExpression {

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
	 * @return the key as text; for a collection or an array those of its elements, each
	 * once and in their natural order, so that all callers take them in one order; not
	 * empty, none blank
	 * @throws IllegalArgumentException if there is no such text
	 */
	public List<String> evaluate(@Nullable Object[] arguments, Object target) {
		KeyRoot root = new KeyRoot(this.method, arguments, target, target.getClass());
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(root, this.method, arguments,
				this.parameterNames);
		this.delegates.applyDelegatesTo(context);
		Object value;
		try {
			value = this.expression.getValue(context);
		}
		catch (RuntimeException ex) {
			throw unusable("cannot be evaluated for this call: " + Printable.of(String.valueOf(ex.getMessage())), ex);
		}
		if (value instanceof Collection<?> collection) {
			return texts(collection);
		}
		if (value != null && value.getClass().isArray()) {
			return texts(Arrays.asList(ObjectUtils.toObjectArray(value)));
		}
		return List.of(text(value, ""));
	}

	private List<String> texts(Collection<?> values) {
		if (values.isEmpty()) {
			throw unusable("is empty for this call; a lock needs a value", null);
		}
		return values.stream().map((value) -> text(value, "has an element that ")).distinct().sorted().toList();
	}

	private String text(@Nullable Object value, String subject) {
		try {
			return LockNaming.text(value);
		}
		catch (IllegalArgumentException ex) {
			throw unusable(subject + ex.getMessage(), null);
		}
	}

	private IllegalArgumentException unusable(String problem, @Nullable RuntimeException cause) {
		return new IllegalArgumentException("Lock annotation on " + this.location + ": the key \""
				+ this.expression.getExpressionString() + "\" " + problem, cause);
	}

}

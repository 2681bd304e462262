/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.github.dynamodblock.LogText;
import io.github.dynamodblock.spring.InvalidDistributedLockException;
import io.github.dynamodblock.spring.LockNaming;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ObjectUtils;

/**
 * The key expression of one method, parsed and checked. Thread-safe.
 */
public final class KeyExpression {

	private static final SpelExpressionParser PARSER = new SpelExpressionParser();

	private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

	private static final Set<String> IMPLICIT = Set.of("#root", "#this");

	private final SpelExpression expression;

	private final Method method;

	private final String location;

	private final StandardEvaluationContext delegates = new StandardEvaluationContext();

	/**
	 * Parses an expression.
	 * @param text the expression
	 * @param method the method of the bean's class
	 * @param location the class and the method, for messages
	 * @param beanFactory the factory of the beans in the expression
	 * @throws InvalidDistributedLockException if it cannot be parsed, or names a
	 * parameter that the method does not have
	 */
	KeyExpression(String text, Method method, String location, BeanFactory beanFactory) {
		this.method = method;
		this.location = location;
		this.delegates.setBeanResolver(new BeanFactoryResolver(beanFactory));
		try {
			this.expression = PARSER.parseRaw(text);
		}
		catch (ParseException | IllegalArgumentException | IllegalStateException ex) {
			throw new InvalidDistributedLockException(location, "key",
					"\"" + text + "\" does not parse: " + ex.getMessage(), ex);
		}
		// Not null, because a null variable would seem to be missing.
		Object[] arguments = new Object[method.getParameterCount()];
		Arrays.fill(arguments, "");
		checkVariables(this.expression.getAST(), context(arguments, ""));
	}

	/** Rejects unknown variables, which would be null, even in only a part of the key. */
	private void checkVariables(SpelNode node, EvaluationContext context) {
		if (node instanceof VariableReference && !IMPLICIT.contains(node.toStringAST())
				&& context.lookupVariable(node.toStringAST().substring(1)) == null) {
			throw new InvalidDistributedLockException(this.location, "key",
					"\"" + this.expression.getExpressionString() + "\" refers to parameter " + node.toStringAST()
							+ ", which the method does not have; it has " + parameters(),
					null);
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			checkVariables(node.getChild(i), context);
		}
	}

	private String parameters() {
		@Nullable String[] names = PARAMETER_NAMES.getParameterNames(this.method);
		if (names == null && this.method.getParameterCount() > 0) {
			return "parameters whose names are missing from the class file. Compile it with -parameters, or use "
					+ "positions, such as #p0 for the first parameter";
		}
		return ObjectUtils.isEmpty(names) ? "no parameters" : "#" + String.join(", #", names);
	}

	/**
	 * Reads the name of a bean from a reference.
	 * @param reference the reference, such as {@code @tenants}
	 * @return the name
	 */
	static String beanName(SpelNode reference) {
		return reference.toStringAST().replaceAll("[@&']", "");
	}

	/**
	 * Evaluates the expression for one call.
	 * @param arguments the arguments of the call
	 * @param target the object that is called
	 * @return the key as text, or the keys of the elements of a collection or an array.
	 * They are without duplicates and in natural order, so all callers acquire the locks
	 * in the same order. The list is not empty, and no key is blank.
	 * @throws IllegalArgumentException if the value is not a valid key
	 */
	public List<String> evaluate(@Nullable Object[] arguments, Object target) {
		MethodBasedEvaluationContext context = context(arguments, target);
		this.delegates.applyDelegatesTo(context);
		Object value;
		try {
			value = this.expression.getValue(context);
		}
		catch (RuntimeException ex) {
			throw unusable("cannot be evaluated for this call: " + LogText.of(String.valueOf(ex.getMessage())), ex);
		}
		if (value instanceof Collection<?> collection) {
			return texts(collection);
		}
		if (value instanceof byte[] || value instanceof char[]) {
			throw unusable(
					"is a " + value.getClass().getTypeName() + ", which would lock each of its distinct elements; "
							+ "use a string, such as T(java.util.HexFormat).of().formatHex(#id) for a byte[] and "
							+ "T(java.lang.String).valueOf(#id) for a char[]",
					null);
		}
		if (value != null && value.getClass().isArray()) {
			return texts(Arrays.asList(ObjectUtils.toObjectArray(value)));
		}
		return List.of(text(value, ""));
	}

	private List<String> texts(Collection<?> values) {
		if (values.isEmpty()) {
			throw unusable("is empty for this call; a lock key needs a value", null);
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

	private MethodBasedEvaluationContext context(@Nullable Object[] arguments, Object target) {
		return new MethodBasedEvaluationContext(new Root(this.method, arguments, target), this.method, arguments,
				PARAMETER_NAMES);
	}

	/**
	 * The call, as {@code #root} in a key expression. Public because expressions can only
	 * use public types.
	 *
	 * @param method the method of the bean's class
	 * @param args the arguments of the call
	 * @param target the object that is called, without its proxy
	 */
	@SuppressWarnings("ArrayRecordComponent") // as expressions of Spring's caches know it
	public record Root(Method method, @Nullable Object[] args, Object target) {

		/**
		 * {@return the name of the method}
		 */
		public String methodName() {
			return this.method.getName();
		}

		/**
		 * {@return the class of the object that is called}
		 */
		public Class<?> targetClass() {
			return this.target.getClass();
		}

	}

}

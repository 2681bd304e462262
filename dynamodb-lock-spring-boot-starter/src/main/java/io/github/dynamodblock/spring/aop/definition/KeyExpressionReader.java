/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.definition;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.dynamodblock.spring.InvalidDistributedLockException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Parses the key expression of one method, and finds the parameters in it that the method
 * does not have, before any call does.
 */
public final class KeyExpressionReader {

	private static final SpelExpressionParser PARSER = new SpelExpressionParser();

	private static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

	private static final Pattern POSITION = Pattern.compile("[ap](\\d{1,3})");

	private final BeanFactory beanFactory;

	private final Method method;

	private final String location;

	private final @Nullable List<String> parameterNames;

	KeyExpressionReader(BeanFactory beanFactory, Method method, String location) {
		this.beanFactory = beanFactory;
		this.method = method;
		this.location = location;
		@Nullable String[] names = PARAMETER_NAMES.getParameterNames(method);
		this.parameterNames = (names != null) ? Arrays.asList(names) : null;
	}

	KeyExpression read(String text) {
		SpelExpression expression;
		try {
			expression = PARSER.parseRaw(text);
		}
		catch (ParseException | IllegalStateException ex) {
			throw invalid(text, "does not parse: " + ex.getMessage(), ex);
		}
		checkVariables(text, expression.getAST());
		StandardEvaluationContext delegates = new StandardEvaluationContext();
		delegates.setBeanResolver(new BeanFactoryResolver(this.beanFactory));
		return new KeyExpression(expression, this.method, this.location, delegates, PARAMETER_NAMES);
	}

	/** A variable that does not exist would be null, in a part of the key as well. */
	private void checkVariables(String text, SpelNode node) {
		if (node instanceof VariableReference) {
			checkVariable(text, node.toStringAST().substring(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			checkVariables(text, node.getChild(i));
		}
	}

	/**
	 * Reads the name of a bean from a reference.
	 * @param reference the reference, such as {@code @tenants}
	 * @return the name
	 */
	public static String beanName(SpelNode reference) {
		return reference.toStringAST().replaceAll("[@&']", "");
	}

	private void checkVariable(String text, String variable) {
		if (variable.equals("root") || variable.equals("this")
				|| (this.parameterNames != null && this.parameterNames.contains(variable))) {
			return;
		}
		Matcher position = POSITION.matcher(variable);
		if (position.matches()) {
			if (Integer.parseInt(position.group(1)) >= this.method.getParameterCount()) {
				throw invalid(text, "names parameter #" + variable + ", but the method has "
						+ this.method.getParameterCount() + " (the first is #p0)", null);
			}
			return;
		}
		if (this.parameterNames == null && this.method.getParameterCount() > 0) {
			throw invalid(text,
					"names parameter #" + variable + ", but the names of the method's parameters are not in "
							+ "its class file; compile it with -parameters, or use the position: #p0 for the first",
					null);
		}
		throw invalid(text,
				"names parameter #" + variable + ", and there is none of that name; the method has "
						+ ((this.parameterNames == null || this.parameterNames.isEmpty()) ? "no parameters"
								: "#" + String.join(", #", this.parameterNames)),
				null);
	}

	private InvalidDistributedLockException invalid(String text, String problem, @Nullable Throwable cause) {
		return new InvalidDistributedLockException(this.location, "key", "\"" + text + "\" " + problem, cause);
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The tokens of an expression, read one after another, with the names and values of its
 * placeholders.
 */
final class ExpressionTokens {

	private static final Pattern TOKEN = Pattern.compile("\\s*(?:([#:]?[A-Za-z0-9_]+)|(<>|<=|>=|[=<>(),+\\-.\\[\\]]))");

	private final List<String> tokens = new ArrayList<>();

	private final Map<String, String> names;

	private final Map<String, AttributeValue> values;

	private final String expression;

	private int next;

	ExpressionTokens(String expression, Map<String, String> names, Map<String, AttributeValue> values) {
		this.expression = expression;
		this.names = names;
		this.values = values;
		Matcher token = TOKEN.matcher(expression);
		int end = 0;
		while (token.find() && token.start() == end) {
			this.tokens.add((token.group(1) != null) ? token.group(1) : token.group(2));
			end = token.end();
		}
		if (!expression.substring(end).isBlank()) {
			throw invalid("has '" + expression.substring(end).strip() + "', which is not understood");
		}
	}

	boolean hasNext() {
		return this.next < this.tokens.size();
	}

	/** Whether the next token is this word or sign; does not go on. */
	boolean isNext(String expected) {
		return hasNext() && this.tokens.get(this.next).equalsIgnoreCase(expected);
	}

	/** Goes on if the next token is this word or sign. */
	boolean skip(String expected) {
		boolean found = isNext(expected);
		if (found) {
			this.next++;
		}
		return found;
	}

	void expect(String expected) {
		if (!skip(expected)) {
			throw invalid("needs '" + expected + "' " + where());
		}
	}

	String take() {
		if (!hasNext()) {
			throw invalid("ends too early");
		}
		return this.tokens.get(this.next++);
	}

	/** Whether a function of this name is called next. */
	boolean skipFunction(String name) {
		boolean called = isNext(name) && this.next + 1 < this.tokens.size()
				&& this.tokens.get(this.next + 1).equals("(");
		if (called) {
			this.next += 2;
		}
		return called;
	}

	/** The name of an attribute. */
	String attribute() {
		String token = take();
		if (isNext(".") || isNext("[")) {
			throw new UnsupportedOperationException(
					"InMemoryDynamoDb knows attributes of items only, and no paths into them: " + this.expression);
		}
		if (token.startsWith("#")) {
			String name = this.names.get(token);
			if (name == null) {
				throw invalid("uses " + token + ", which has no name");
			}
			return name;
		}
		if (!Character.isLetter(token.charAt(0))) {
			throw invalid("has '" + token + "' instead of an attribute");
		}
		return token;
	}

	boolean isValueNext() {
		return hasNext() && this.tokens.get(this.next).startsWith(":");
	}

	AttributeValue value() {
		String token = take();
		AttributeValue value = this.values.get(token);
		if (value == null) {
			throw invalid("uses " + token + ", which has no value");
		}
		return value;
	}

	/** The next word in capitals, such as a clause's. */
	String word() {
		return take().toUpperCase(Locale.ROOT);
	}

	private String where() {
		return hasNext() ? "before '" + this.tokens.get(this.next) + "'" : "at its end";
	}

	RuntimeException invalid(String problem) {
		return Failures.validation("Invalid expression: '" + this.expression + "' " + problem);
	}

}

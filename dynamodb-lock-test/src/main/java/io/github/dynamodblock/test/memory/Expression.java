/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Evaluates an expression over the attributes of one item: a condition, or an update. It
 * is always parsed completely, whatever the value of its first part. Paths into
 * attributes are not supported.
 */
final class Expression {

	private static final Pattern TOKEN = Pattern.compile("\\s*([#:]?[A-Za-z0-9_]+|<>|<=|>=|[=<>(),+\\-.\\[\\]])");

	private final List<String> tokens = new ArrayList<>();

	private final String text;

	private final Map<String, String> names;

	private final Map<String, AttributeValue> values;

	private final Map<String, AttributeValue> item;

	private int next;

	Expression(String text, Map<String, String> names, Map<String, AttributeValue> values,
			Map<String, AttributeValue> item) {
		this.text = text;
		this.names = names;
		this.values = values;
		this.item = item;
		Matcher token = TOKEN.matcher(text.stripTrailing());
		while (token.lookingAt()) {
			this.tokens.add(token.group(1));
			token.region(token.end(), token.regionEnd());
		}
		if (token.regionStart() != token.regionEnd()) {
			throw invalid();
		}
	}

	/** Returns whether the condition is met. */
	boolean holds() {
		boolean holds = or();
		if (hasNext()) {
			throw invalid();
		}
		return holds;
	}

	/** Returns the item after the update, which must not change its key. */
	Map<String, AttributeValue> update(Collection<String> keys) {
		Map<String, AttributeValue> after = new HashMap<>(this.item);
		Set<String> changed = new HashSet<>(keys);
		while (hasNext()) {
			String clause = take().toUpperCase(Locale.ROOT);
			do {
				String name = name();
				if (!changed.add(name)) {
					throw invalid();
				}
				switch (clause) {
					case "SET" -> after.put(name, assigned());
					case "REMOVE" -> after.remove(name);
					case "ADD" -> after.put(name, sum(this.item.getOrDefault(name, AttributeValue.fromN("0")), 1));
					default -> throw unknown("the clause " + clause);
				}
			}
			while (skip(","));
		}
		return after;
	}

	private AttributeValue assigned() {
		expect("=");
		AttributeValue value = present();
		return skip("+") ? sum(value, 1) : skip("-") ? sum(value, -1) : value;
	}

	/** Adds the next operand. */
	private AttributeValue sum(AttributeValue value, int sign) {
		BigDecimal summand = Values.number(present()).multiply(BigDecimal.valueOf(sign));
		return AttributeValue.fromN(Values.number(value).add(summand).stripTrailingZeros().toPlainString());
	}

	private AttributeValue present() {
		AttributeValue value = operand();
		if (value == null) {
			throw invalid();
		}
		return value;
	}

	private boolean or() {
		boolean holds = and();
		while (skip("OR")) {
			holds |= and();
		}
		return holds;
	}

	private boolean and() {
		boolean holds = not();
		while (skip("AND")) {
			holds &= not();
		}
		return holds;
	}

	private boolean not() {
		return skip("NOT") ? !not() : primary();
	}

	private boolean primary() {
		if (skip("(")) {
			boolean holds = or();
			expect(")");
			return holds;
		}
		boolean function = this.next + 1 < this.tokens.size() && this.tokens.get(this.next + 1).equals("(");
		return (function && !isNext("size")) ? function(take()) : comparison();
	}

	private boolean function(String name) {
		expect("(");
		AttributeValue value = operand();
		AttributeValue other = skip(",") ? present() : null;
		expect(")");
		return switch (name) {
			case "attribute_exists" -> value != null;
			case "attribute_not_exists" -> value == null;
			case "attribute_type" -> value != null && other != null && Values.type(value).equals(other.s());
			case "begins_with" ->
				value != null && value.s() != null && other != null && value.s().startsWith(other.s());
			case "contains" -> value != null && other != null && contains(value, other);
			default -> throw unknown("the function " + name);
		};
	}

	private static boolean contains(AttributeValue value, AttributeValue part) {
		return (value.s() != null) ? part.s() != null && value.s().contains(part.s())
				: value.ss().contains(part.s()) || value.l().contains(part);
	}

	private boolean comparison() {
		AttributeValue left = operand();
		String sign = take().toUpperCase(Locale.ROOT);
		if (sign.equals("IN")) {
			return isIn(left);
		}
		AttributeValue right = operand();
		return switch (sign) {
			case "=" -> Values.equal(left, right);
			case "<>" -> !Values.equal(left, right);
			case "<" -> is(left, right, (order) -> order < 0);
			case "<=" -> is(left, right, (order) -> order <= 0);
			case ">" -> is(left, right, (order) -> order > 0);
			case ">=" -> is(left, right, (order) -> order >= 0);
			case "BETWEEN" -> {
				expect("AND");
				boolean atMost = is(left, operand(), (order) -> order <= 0);
				yield atMost && is(left, right, (order) -> order >= 0);
			}
			default -> throw invalid();
		};
	}

	private boolean isIn(@Nullable AttributeValue value) {
		boolean found = false;
		expect("(");
		do {
			found |= Values.equal(value, operand());
		}
		while (skip(","));
		expect(")");
		return found;
	}

	private static boolean is(@Nullable AttributeValue left, @Nullable AttributeValue right, IntPredicate test) {
		OptionalInt order = Values.compare(left, right);
		return order.isPresent() && test.test(order.getAsInt());
	}

	private @Nullable AttributeValue operand() {
		if (skip("size")) {
			expect("(");
			AttributeValue value = operand();
			expect(")");
			return (value != null) ? AttributeValue.fromN(Integer.toString(Values.size(value))) : null;
		}
		if (skip("if_not_exists")) {
			expect("(");
			AttributeValue value = operand();
			expect(",");
			AttributeValue otherwise = operand();
			expect(")");
			return (value != null) ? value : otherwise;
		}
		if (hasNext() && this.tokens.get(this.next).startsWith(":")) {
			return known(this.values.get(take()));
		}
		return this.item.get(name());
	}

	private String name() {
		String token = take();
		if (isNext(".") || isNext("[")) {
			throw new UnsupportedOperationException(
					"InMemoryDynamoDb supports top-level attributes, but no document paths: " + this.text);
		}
		return token.startsWith("#") ? known(this.names.get(token)) : token;
	}

	private <T> T known(@Nullable T found) {
		if (found == null) {
			throw invalid();
		}
		return found;
	}

	private boolean hasNext() {
		return this.next < this.tokens.size();
	}

	private String take() {
		if (!hasNext()) {
			throw invalid();
		}
		return this.tokens.get(this.next++);
	}

	private boolean isNext(String expected) {
		return hasNext() && this.tokens.get(this.next).equalsIgnoreCase(expected);
	}

	private boolean skip(String expected) {
		boolean found = isNext(expected);
		this.next += found ? 1 : 0;
		return found;
	}

	private void expect(String expected) {
		if (!skip(expected)) {
			throw invalid();
		}
	}

	private RuntimeException invalid() {
		return Failures.validation("Invalid expression at token " + (this.next + 1) + ": " + this.text);
	}

	private RuntimeException unknown(String what) {
		return new UnsupportedOperationException("InMemoryDynamoDb does not know " + what + ": " + this.text);
	}

}

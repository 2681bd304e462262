/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Evaluates conditions, filters and key conditions over the attributes of one item. All
 * of an expression is read, whatever its first part says.
 */
final class ConditionExpression {

	private final ExpressionTokens tokens;

	private final Map<String, AttributeValue> item;

	private ConditionExpression(ExpressionTokens tokens, Map<String, AttributeValue> item) {
		this.tokens = tokens;
		this.item = item;
	}

	/** Whether an expression holds; one that is not there does. */
	static boolean holds(@Nullable String expression, Map<String, String> names, Map<String, AttributeValue> values,
			Map<String, AttributeValue> item) {
		if (expression == null) {
			return true;
		}
		ExpressionTokens tokens = new ExpressionTokens(expression, names, values);
		boolean holds = new ConditionExpression(tokens, item).or();
		if (tokens.hasNext()) {
			throw tokens.invalid("goes on with '" + tokens.take() + "'");
		}
		return holds;
	}

	private boolean or() {
		boolean holds = and();
		while (this.tokens.skip("OR")) {
			holds |= and();
		}
		return holds;
	}

	private boolean and() {
		boolean holds = not();
		while (this.tokens.skip("AND")) {
			holds &= not();
		}
		return holds;
	}

	private boolean not() {
		return this.tokens.skip("NOT") ? !not() : primary();
	}

	private boolean primary() {
		if (this.tokens.skip("(")) {
			boolean holds = or();
			this.tokens.expect(")");
			return holds;
		}
		if (this.tokens.skipFunction("attribute_exists")) {
			return attribute() != null;
		}
		if (this.tokens.skipFunction("attribute_not_exists")) {
			return attribute() == null;
		}
		if (this.tokens.skipFunction("attribute_type")) {
			return ofTwo((value, type) -> Values.type(value).equals(type.s()));
		}
		if (this.tokens.skipFunction("begins_with")) {
			return ofTwo(
					(value, prefix) -> value.s() != null && prefix.s() != null && value.s().startsWith(prefix.s()));
		}
		if (this.tokens.skipFunction("contains")) {
			return ofTwo(ConditionExpression::contains);
		}
		return comparison();
	}

	/** The attribute that a function is asked about, with what closes the call. */
	private @Nullable AttributeValue attribute() {
		AttributeValue value = this.item.get(this.tokens.attribute());
		this.tokens.expect(")");
		return value;
	}

	private boolean ofTwo(Test test) {
		AttributeValue value = operand();
		this.tokens.expect(",");
		AttributeValue other = operand();
		this.tokens.expect(")");
		return value != null && other != null && test.holds(value, other);
	}

	private static boolean contains(AttributeValue value, AttributeValue part) {
		if (value.s() != null) {
			return part.s() != null && value.s().contains(part.s());
		}
		return (value.hasSs() && part.s() != null && value.ss().contains(part.s()))
				|| (value.hasL() && value.l().contains(part));
	}

	private boolean comparison() {
		AttributeValue left = operand();
		if (this.tokens.skip("BETWEEN")) {
			AttributeValue least = operand();
			this.tokens.expect("AND");
			AttributeValue most = operand();
			return holds(Values.compare(left, least), (order) -> order >= 0)
					&& holds(Values.compare(left, most), (order) -> order <= 0);
		}
		if (this.tokens.skip("IN")) {
			this.tokens.expect("(");
			boolean found = Values.equal(left, operand());
			while (this.tokens.skip(",")) {
				found |= Values.equal(left, operand());
			}
			this.tokens.expect(")");
			return found;
		}
		String sign = this.tokens.take();
		AttributeValue right = operand();
		return switch (sign) {
			case "=" -> Values.equal(left, right);
			case "<>" -> !Values.equal(left, right);
			case "<" -> holds(Values.compare(left, right), (order) -> order < 0);
			case "<=" -> holds(Values.compare(left, right), (order) -> order <= 0);
			case ">" -> holds(Values.compare(left, right), (order) -> order > 0);
			case ">=" -> holds(Values.compare(left, right), (order) -> order >= 0);
			default -> throw this.tokens.invalid("has '" + sign + "' instead of a comparison");
		};
	}

	private static boolean holds(OptionalInt order, IntPredicate test) {
		return order.isPresent() && test.test(order.getAsInt());
	}

	private @Nullable AttributeValue operand() {
		if (this.tokens.skipFunction("size")) {
			AttributeValue value = attribute();
			return (value != null) ? size(value) : null;
		}
		return this.tokens.isValueNext() ? this.tokens.value() : this.item.get(this.tokens.attribute());
	}

	private static @Nullable AttributeValue size(AttributeValue value) {
		List<Integer> sizes = List.of((value.s() != null) ? value.s().length() : -1,
				(value.b() != null) ? value.b().asByteArray().length : -1, value.hasL() ? value.l().size() : -1,
				value.hasM() ? value.m().size() : -1, value.hasSs() ? value.ss().size() : -1);
		return sizes.stream()
			.filter((size) -> size >= 0)
			.findFirst()
			.map((size) -> AttributeValue.fromN(size.toString()))
			.orElse(null);
	}

	/** A condition on two values. */
	@FunctionalInterface
	private interface Test {

		boolean holds(AttributeValue value, AttributeValue other);

	}

}

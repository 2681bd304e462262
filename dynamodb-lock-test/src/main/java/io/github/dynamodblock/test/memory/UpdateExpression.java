/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Carries out an update expression with the clauses SET, REMOVE and ADD. Every operand is
 * read from the item as it was before the update.
 */
final class UpdateExpression {

	private final ExpressionTokens tokens;

	private final Map<String, AttributeValue> before;

	private final Map<String, AttributeValue> after;

	private final Set<String> changed = new HashSet<>();

	private UpdateExpression(ExpressionTokens tokens, Map<String, AttributeValue> before) {
		this.tokens = tokens;
		this.before = before;
		this.after = new HashMap<>(before);
	}

	/**
	 * The item after an update.
	 * @param expression the update, or {@code null} for none
	 * @param names the names of placeholders
	 * @param values the values of placeholders
	 * @param before the item, with its key
	 * @param keys the attributes that no update may change
	 */
	static Map<String, AttributeValue> apply(@Nullable String expression, Map<String, String> names,
			Map<String, AttributeValue> values, Map<String, AttributeValue> before, Set<String> keys) {
		if (expression == null) {
			return before;
		}
		ExpressionTokens tokens = new ExpressionTokens(expression, names, values);
		UpdateExpression update = new UpdateExpression(tokens, before);
		while (tokens.hasNext()) {
			update.clause(tokens.word());
		}
		update.changed.stream().filter(keys::contains).findFirst().ifPresent((key) -> {
			throw Failures.validation("Cannot update attribute " + key + ". This attribute is part of the key");
		});
		return update.after;
	}

	private void clause(String name) {
		do {
			String attribute = this.tokens.attribute();
			if (!this.changed.add(attribute)) {
				throw this.tokens.invalid("changes '" + attribute + "' twice");
			}
			switch (name) {
				case "SET" -> {
					this.tokens.expect("=");
					this.after.put(attribute, value());
				}
				case "REMOVE" -> this.after.remove(attribute);
				case "ADD" -> add(attribute);
				default -> throw new UnsupportedOperationException("InMemoryDynamoDb does not know the clause " + name);
			}
		}
		while (this.tokens.skip(","));
	}

	private void add(String attribute) {
		AttributeValue old = this.before.get(attribute);
		BigDecimal sum = (old != null) ? Values.number(old) : BigDecimal.ZERO;
		this.after.put(attribute, Values.number(sum.add(Values.number(this.tokens.value()))));
	}

	private AttributeValue value() {
		AttributeValue value = operand();
		if (this.tokens.skip("+")) {
			return Values.number(Values.number(value).add(Values.number(operand())));
		}
		if (this.tokens.skip("-")) {
			return Values.number(Values.number(value).subtract(Values.number(operand())));
		}
		return value;
	}

	private AttributeValue operand() {
		if (this.tokens.skipFunction("if_not_exists")) {
			AttributeValue present = this.before.get(this.tokens.attribute());
			this.tokens.expect(",");
			AttributeValue otherwise = operand();
			this.tokens.expect(")");
			return (present != null) ? present : otherwise;
		}
		if (this.tokens.isValueNext()) {
			return this.tokens.value();
		}
		AttributeValue value = this.before.get(this.tokens.attribute());
		if (value == null) {
			throw Failures.validation("The provided expression refers to an attribute that does not exist in the item");
		}
		return value;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An update expression in the making, and the placeholders that it shares with its
 * condition. Every attribute is given by a placeholder, since some names are reserved
 * words and others hold characters that an expression cannot.
 */
final class ItemExpression {

	private final List<String> sets = new ArrayList<>();

	private final List<String> removes = new ArrayList<>();

	private final Map<String, String> placeholders = new LinkedHashMap<>();

	private final Map<String, AttributeValue> values = new LinkedHashMap<>();

	/** The placeholder of an attribute's name, the same one each time. */
	String name(String attribute) {
		return this.placeholders.computeIfAbsent(attribute, (first) -> "#n" + this.placeholders.size());
	}

	/** A new placeholder for a value. */
	String value(AttributeValue value) {
		String placeholder = ":v" + this.values.size();
		this.values.put(placeholder, value);
		return placeholder;
	}

	/** Sets the attribute, or removes it if there is no value. */
	void set(String attribute, @Nullable AttributeValue value) {
		if (value == null) {
			this.removes.add(name(attribute));
		}
		else {
			this.sets.add(name(attribute) + " = " + value(value));
		}
	}

	/** Adds one to the attribute, or to the seed if there is no attribute. */
	void count(String attribute, AttributeValue seed) {
		String name = name(attribute);
		this.sets.add(
				"%s = if_not_exists(%s, %s) + %s".formatted(name, name, value(seed), value(AttributeValue.fromN("1"))));
	}

	String updateExpression() {
		String remove = this.removes.isEmpty() ? "" : " REMOVE " + String.join(", ", this.removes);
		return "SET " + String.join(", ", this.sets) + remove;
	}

	/** Attribute names by their placeholders. */
	Map<String, String> names() {
		Map<String, String> names = new LinkedHashMap<>();
		this.placeholders.forEach((attribute, placeholder) -> names.put(placeholder, attribute));
		return names;
	}

	/** Values by their placeholders. */
	Map<String, AttributeValue> values() {
		return this.values;
	}

}

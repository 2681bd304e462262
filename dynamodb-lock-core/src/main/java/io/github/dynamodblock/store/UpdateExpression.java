/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.github.dynamodblock.ItemChange;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The update expression of one kind of write. Some of its attributes are optional: set if
 * the write has a value for them, otherwise removed. The text of each combination is
 * built once; only a change of the application's own attributes has a text built for it.
 * Thread-safe.
 * <p>
 * An attribute is written by its name, or by {@code #} and an alias that {@code names}
 * resolves; the placeholder of its value is a colon and that name or alias.
 */
final class UpdateExpression {

	private static final String DATA = "#data";

	private static final String DATA_VALUE = ":data";

	private final List<String> sets;

	private final List<String> removed;

	private final List<String> optional;

	private final List<String> optionalValues;

	private final Map<String, String> names;

	private final AtomicReferenceArray<Text> known;

	/**
	 * An update expression.
	 * @param sets assignments that every write of this kind makes
	 * @param removed attributes that every write of this kind removes
	 * @param optional attributes that are set or removed
	 * @param names attribute names by the aliases of this expression and of the condition
	 * that goes with it
	 */
	UpdateExpression(List<String> sets, List<String> removed, List<String> optional, Map<String, String> names) {
		this.sets = sets;
		this.removed = removed;
		this.optional = optional;
		this.optionalValues = optional.stream().map(UpdateExpression::value).toList();
		this.names = names;
		this.known = new AtomicReferenceArray<>(4 << optional.size());
	}

	/**
	 * The expression of one write, and the names that it needs.
	 * @param change what happens to data and attributes of the application
	 * @param values values by their placeholders; those of the change are added
	 */
	Text text(ItemChange change, Map<String, AttributeValue> values) {
		change.data().ifPresent((data) -> values.put(DATA_VALUE, AttributeValue.fromB(SdkBytes.fromByteArray(data))));
		if (!change.attributes().isEmpty() || !change.copies().isEmpty() || !change.removedAttributes().isEmpty()) {
			return build(change, values);
		}
		int combination = combination(change, values);
		Text text = this.known.get(combination);
		if (text == null) {
			text = build(change, values);
			this.known.set(combination, text);
		}
		return text;
	}

	private int combination(ItemChange change, Map<String, AttributeValue> values) {
		int combination = (change.changesData() ? 2 : 0) + (values.containsKey(DATA_VALUE) ? 1 : 0);
		for (String value : this.optionalValues) {
			combination = 2 * combination + (values.containsKey(value) ? 1 : 0);
		}
		return combination;
	}

	private Text build(ItemChange change, Map<String, AttributeValue> values) {
		List<String> set = new ArrayList<>(this.sets);
		List<String> remove = new ArrayList<>(this.removed);
		Map<String, String> allNames = new HashMap<>(this.names);
		List<String> setOrRemoved = new ArrayList<>(this.optional);
		if (change.changesData()) {
			setOrRemoved.add(DATA);
			allNames.put(DATA, LockItem.DATA);
		}
		change.attributes().forEach((name, value) -> {
			String alias = alias(name, allNames);
			values.put(value(alias), value);
			setOrRemoved.add(alias);
		});
		change.copies().forEach((name, copy) -> {
			String alias = alias(name, allNames);
			values.put(value(alias), copy.ifMissing());
			set.add(alias + " = if_not_exists(" + alias(copy.from(), allNames) + ", " + value(alias) + ")");
		});
		change.removedAttributes().forEach((name) -> remove.add(alias(name, allNames)));
		for (String attribute : setOrRemoved) {
			if (values.containsKey(value(attribute))) {
				set.add(attribute + " = " + value(attribute));
			}
			else {
				remove.add(attribute);
			}
		}
		String sets = set.isEmpty() ? "" : "SET " + String.join(", ", set);
		String removes = remove.isEmpty() ? "" : " REMOVE " + String.join(", ", remove);
		return new Text(sets + removes, Map.copyOf(allNames));
	}

	private static String alias(String name, Map<String, String> names) {
		String alias = "#a" + names.size();
		names.put(alias, name);
		return alias;
	}

	private static String value(String attribute) {
		return ":" + (attribute.startsWith("#") ? attribute.substring(1) : attribute);
	}

	/**
	 * An update expression as it is sent.
	 *
	 * @param expression the expression
	 * @param names attribute names by their aliases
	 */
	record Text(String expression, Map<String, String> names) {
	}

}

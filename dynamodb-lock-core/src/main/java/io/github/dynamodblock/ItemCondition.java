/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A condition on the application's attributes in a lock's item. A request with a
 * {@linkplain LockRequest#condition condition} is granted the lock only if the condition
 * holds when the lock is acquired. Immutable and thread-safe.
 *
 * <p>
 * DynamoDB evaluates conditions. Numbers are compared as numbers, strings by their UTF-8
 * bytes. A comparison with an attribute that the item does not have, or that has another
 * type, is {@code false}; {@link #notEqualTo} is then {@code true}. An item that does not
 * exist has no attributes.
 *
 * <p>
 * Values are strings or numbers. Methods throw {@link IllegalArgumentException} if a
 * value has another type, an attribute's name is empty or longer than 255 characters, or
 * the condition has more than 200 operators. A condition that names an attribute of the
 * lock itself is rejected with that exception when it is used, before anything is sent.
 *
 * <pre>{@code
 * ItemCondition open = ItemCondition.equalTo("status", AttributeValue.fromS("open"))
 *     .and(ItemCondition.notExists("paused"))
 *     .and(ItemCondition.notExists("attempts").or(ItemCondition.lessThan("attempts", AttributeValue.fromN("3"))));
 * Optional<HeldLock> lock = client.tryAcquire(LockRequest.of("orders-42").condition(open));
 * }</pre>
 */
public final class ItemCondition {

	/**
	 * DynamoDB allows 300 operators and 4,096 characters. The rest is for the lock's own
	 * condition.
	 */
	private static final int MOST_OPERATORS = 200;

	private static final Pattern PLACEHOLDER = Pattern.compile("[#:]");

	/** The expression, with '#' for each name and ':' for each value, in their order. */
	private final String text;

	private final List<String> names;

	private final List<AttributeValue> values;

	/** The operator that joins the parts of the expression; empty if it has one part. */
	private final String joinedBy;

	private final int operators;

	private ItemCondition(String text, List<String> names, List<AttributeValue> values, String joinedBy,
			int operators) {
		if (operators > MOST_OPERATORS) {
			throw new IllegalArgumentException("The condition has " + operators + " operators; one request "
					+ "allows at most " + MOST_OPERATORS + " besides the lock's own");
		}
		this.text = text;
		this.names = names;
		this.values = values;
		this.joinedBy = joinedBy;
		this.operators = operators;
	}

	/** Requires that the item has an attribute, whatever its value. */
	public static ItemCondition exists(String name) {
		ItemChange.checkName(name);
		return new ItemCondition("attribute_exists(#)", List.of(name), List.of(), "", 1);
	}

	/** Requires that the item does not have an attribute, or does not exist. */
	public static ItemCondition notExists(String name) {
		return exists(name).not();
	}

	/** Requires that an attribute is equal to a value. */
	public static ItemCondition equalTo(String name, AttributeValue value) {
		return compare(name, "=", value);
	}

	/**
	 * Requires that an attribute is not equal to a value. Also holds if the attribute has
	 * another type, or the item does not have it.
	 */
	public static ItemCondition notEqualTo(String name, AttributeValue value) {
		return compare(name, "<>", value);
	}

	/** Requires that an attribute is less than a value of the same type. */
	public static ItemCondition lessThan(String name, AttributeValue value) {
		return compare(name, "<", value);
	}

	/** Requires that an attribute is less than or equal to a value of the same type. */
	public static ItemCondition atMost(String name, AttributeValue value) {
		return compare(name, "<=", value);
	}

	/** Requires that an attribute is greater than a value of the same type. */
	public static ItemCondition greaterThan(String name, AttributeValue value) {
		return compare(name, ">", value);
	}

	/**
	 * Requires that an attribute is greater than or equal to a value of the same type.
	 */
	public static ItemCondition atLeast(String name, AttributeValue value) {
		return compare(name, ">=", value);
	}

	private static ItemCondition compare(String name, String operator, AttributeValue value) {
		ItemChange.checkAttribute(name, value);
		if (value.s() == null && value.n() == null) {
			throw new IllegalArgumentException("The condition compares attribute '" + name + "' with a value of type "
					+ value.type() + "; use a string or a number, or exists(\"" + name + "\")");
		}
		return new ItemCondition("# " + operator + " :", List.of(name), List.of(value), "", 1);
	}

	/** Requires this condition and another one. */
	public ItemCondition and(ItemCondition other) {
		return join(" AND ", other);
	}

	/** Requires this condition or another one. */
	public ItemCondition or(ItemCondition other) {
		return join(" OR ", other);
	}

	private ItemCondition join(String operator, ItemCondition other) {
		return new ItemCondition(operand(operator) + operator + other.operand(operator),
				Stream.concat(this.names.stream(), other.names.stream()).toList(),
				Stream.concat(this.values.stream(), other.values.stream()).toList(), operator,
				this.operators + 1 + other.operators);
	}

	/** Requires that this condition does not hold. */
	public ItemCondition not() {
		return new ItemCondition("NOT " + operand(""), this.names, this.values, "", this.operators + 1);
	}

	/** The text as an operand, in parentheses if another operator joins its parts. */
	private String operand(String operator) {
		return (this.joinedBy.isEmpty() || this.joinedBy.equals(operator)) ? this.text : "(" + this.text + ")";
	}

	/**
	 * {@return this condition as a condition expression of DynamoDB, without parentheses
	 * around it}
	 */
	public String expression() {
		return expression(names().keySet().iterator(), values().keySet().iterator());
	}

	private String expression(Iterator<String> nextName, Iterator<String> nextValue) {
		return PLACEHOLDER.matcher(this.text)
			.replaceAll((found) -> Matcher
				.quoteReplacement(found.group().equals("#") ? nextName.next() : nextValue.next()));
	}

	/**
	 * {@return the names of the attributes that this condition tests, by their
	 * placeholders in the expression}
	 */
	public Map<String, String> names() {
		return numbered("#c", this.names);
	}

	/**
	 * {@return the values that attributes are compared with, by their placeholders in the
	 * expression}
	 */
	public Map<String, AttributeValue> values() {
		return numbered(":c", this.values);
	}

	private static <T> Map<String, T> numbered(String prefix, List<T> all) {
		Map<String, T> numbered = new LinkedHashMap<>();
		all.forEach((each) -> numbered.put(prefix + numbered.size(), each));
		return numbered;
	}

	/** Returns the expression with the attributes' names and without values. */
	@Override
	public String toString() {
		return expression(this.names.stream().map(LogText::of).iterator(), Stream.generate(() -> "?").iterator());
	}

}

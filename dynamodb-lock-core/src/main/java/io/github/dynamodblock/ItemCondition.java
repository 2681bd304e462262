/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A condition on the application's attributes in a lock's item. A request with a
 * {@linkplain LockRequest#condition condition} is granted the lock only if the condition
 * holds when the lock is acquired. Immutable and thread-safe.
 *
 * <p>
 * Conditions are evaluated as DynamoDB evaluates them. Numbers are compared as numbers,
 * strings by their UTF-8 bytes. A comparison with an attribute that the item does not
 * have, or that has another type, is {@code false}; {@link #notEqualTo} is then
 * {@code true}. An item that does not exist has no attributes.
 *
 * <p>
 * Methods throw {@link IllegalArgumentException} if the name of an attribute is empty or
 * longer than 255 characters, a value is neither a string nor a number that DynamoDB can
 * store, or the condition has more than 200 operators or 30 levels. A condition that
 * names an attribute of the lock itself is rejected with that exception when it is used,
 * before anything is sent.
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
	 * Of 300 operators and 4,096 characters that DynamoDB allows. The longest expression
	 * of so many operators has less than 3,000 characters; the rest is for the lock's own
	 * condition.
	 */
	private static final int MOST_OPERATORS = 200;

	private static final int MOST_LEVELS = 30;

	/** The significant digits of a number of DynamoDB. */
	private static final int MOST_DIGITS = 38;

	private static final int GREATEST_EXPONENT = 125;

	private static final int LEAST_EXPONENT = -130;

	private final Test test;

	private ItemCondition(Test test) {
		this.test = test;
		if (test.operators() > MOST_OPERATORS) {
			throw new IllegalArgumentException("The condition has " + test.operators() + " operators; at most "
					+ MOST_OPERATORS + " fit into one request beside those of the lock");
		}
		if (test.levels() > MOST_LEVELS) {
			throw new IllegalArgumentException("The condition is nested " + test.levels() + " levels deep; at most "
					+ MOST_LEVELS + " are allowed");
		}
	}

	/**
	 * Requires that the item has an attribute, whatever its value.
	 * @param name the attribute's name
	 * @return the condition
	 */
	public static ItemCondition exists(String name) {
		ItemChange.checkName(name);
		return new ItemCondition(new Exists(name));
	}

	/**
	 * Requires that the item does not have an attribute, or does not exist.
	 * @param name the attribute's name
	 * @return the condition
	 */
	public static ItemCondition notExists(String name) {
		return exists(name).not();
	}

	/**
	 * Requires that an attribute is equal to a value.
	 * @param name the attribute's name
	 * @param value a string or a number
	 * @return the condition
	 */
	public static ItemCondition equalTo(String name, AttributeValue value) {
		return compare(name, Operator.EQUAL, value);
	}

	/**
	 * Requires that an attribute is not equal to a value. Holds also if the attribute has
	 * another type, or the item does not have it.
	 * @param name the attribute's name
	 * @param value a string or a number
	 * @return the condition
	 */
	public static ItemCondition notEqualTo(String name, AttributeValue value) {
		return compare(name, Operator.NOT_EQUAL, value);
	}

	/**
	 * Requires that an attribute is less than a value of the same type.
	 * @param name the attribute's name
	 * @param value a string or a number
	 * @return the condition
	 */
	public static ItemCondition lessThan(String name, AttributeValue value) {
		return compare(name, Operator.LESS, value);
	}

	/**
	 * Requires that an attribute is less than or equal to a value of the same type.
	 * @param name the attribute's name
	 * @param value a string or a number
	 * @return the condition
	 */
	public static ItemCondition atMost(String name, AttributeValue value) {
		return compare(name, Operator.AT_MOST, value);
	}

	/**
	 * Requires that an attribute is greater than a value of the same type.
	 * @param name the attribute's name
	 * @param value a string or a number
	 * @return the condition
	 */
	public static ItemCondition greaterThan(String name, AttributeValue value) {
		return compare(name, Operator.GREATER, value);
	}

	/**
	 * Requires that an attribute is greater than or equal to a value of the same type.
	 * @param name the attribute's name
	 * @param value a string or a number
	 * @return the condition
	 */
	public static ItemCondition atLeast(String name, AttributeValue value) {
		return compare(name, Operator.AT_LEAST, value);
	}

	private static ItemCondition compare(String name, Operator operator, AttributeValue value) {
		ItemChange.checkAttribute(name, value);
		if (value.s() != null) {
			checkString(name, value.s());
		}
		else if (value.n() != null) {
			checkNumber(name, value.n());
		}
		else {
			throw new IllegalArgumentException("The condition compares attribute '" + name + "' with a value of type "
					+ value.type() + "; use a string or a number, or exists(\"" + name + "\")");
		}
		return new ItemCondition(new Comparison(name, operator, value));
	}

	private static void checkString(String name, String value) {
		if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
			throw new IllegalArgumentException("The condition compares attribute '" + name
					+ "' with a string that has half of a surrogate pair, which is not a character");
		}
	}

	private static void checkNumber(String name, String digits) {
		BigDecimal number;
		try {
			number = new BigDecimal(digits).stripTrailingZeros();
		}
		catch (ArithmeticException | NumberFormatException ex) {
			throw notStorable(name, digits);
		}
		long exponent = (long) number.precision() - number.scale() - 1;
		boolean inRange = number.signum() == 0 || (exponent >= LEAST_EXPONENT && exponent <= GREATEST_EXPONENT);
		if (!inRange || number.precision() > MOST_DIGITS) {
			throw notStorable(name, digits);
		}
	}

	private static IllegalArgumentException notStorable(String name, String digits) {
		return new IllegalArgumentException("The condition compares attribute '" + name + "' with '" + digits
				+ "'; numbers of DynamoDB have at most " + MOST_DIGITS + " digits and a magnitude of 1E"
				+ LEAST_EXPONENT + " to 1E" + (GREATEST_EXPONENT + 1));
	}

	/**
	 * Requires this condition and another one.
	 * @param other the other condition
	 * @return the condition that holds if both hold
	 */
	public ItemCondition and(ItemCondition other) {
		return new ItemCondition(this.test.with(true, other.test));
	}

	/**
	 * Requires this condition or another one.
	 * @param other the other condition
	 * @return the condition that holds if one of them holds, or both
	 */
	public ItemCondition or(ItemCondition other) {
		return new ItemCondition(this.test.with(false, other.test));
	}

	/**
	 * Requires that this condition does not hold.
	 * @return the opposite condition
	 */
	public ItemCondition not() {
		return new ItemCondition((this.test instanceof Not negated) ? negated.test() : new Not(this.test));
	}

	/**
	 * Returns whether an item meets this condition.
	 * @param attributes the item's attributes by their names; empty for an item that does
	 * not exist
	 * @return whether the condition holds
	 */
	public boolean holds(Map<String, AttributeValue> attributes) {
		return this.test.holds(attributes);
	}

	/**
	 * {@return the names of the attributes that this condition tests, unmodifiable}
	 */
	public Set<String> attributeNames() {
		Set<String> names = new TreeSet<>();
		write(new StringBuilder(), (name) -> {
			names.add(name);
			return name;
		}, (value) -> "");
		return Collections.unmodifiableSet(names);
	}

	/**
	 * Returns this condition as a condition expression of DynamoDB.
	 * @param names gives the placeholder for an attribute's name
	 * @param values gives the placeholder for a value
	 * @return the expression, without parentheses around it
	 */
	public String expression(UnaryOperator<String> names, Function<AttributeValue, String> values) {
		StringBuilder expression = new StringBuilder();
		write(expression, names, values);
		return expression.toString();
	}

	private void write(StringBuilder expression, UnaryOperator<String> names, Function<AttributeValue, String> values) {
		this.test.write(new Text(expression, names, values));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ItemCondition condition && this.test.equals(condition.test);
	}

	@Override
	public int hashCode() {
		return this.test.hashCode();
	}

	/**
	 * Returns the expression with the attributes' names and without values.
	 */
	@Override
	public String toString() {
		return expression(Printable::of, (value) -> "?");
	}

	/** How an attribute is compared. */
	private enum Operator {

		EQUAL("="), NOT_EQUAL("<>"), LESS("<"), AT_MOST("<="), GREATER(">"), AT_LEAST(">=");

		private final String sign;

		Operator(String sign) {
			this.sign = sign;
		}

		/** What the order of attribute and value says; equality apart. */
		boolean holds(int order) {
			return switch (this) {
				case EQUAL -> order == 0;
				case NOT_EQUAL -> order != 0;
				case LESS -> order < 0;
				case AT_MOST -> order <= 0;
				case GREATER -> order > 0;
				case AT_LEAST -> order >= 0;
			};
		}

	}

	/** An expression as it is written. */
	private record Text(StringBuilder expression, UnaryOperator<String> names,
			Function<AttributeValue, String> values) {

		Text add(String text) {
			this.expression.append(text);
			return this;
		}

		Text name(String name) {
			return add(this.names.apply(name));
		}

		void operand(Test test) {
			if (test instanceof Group) {
				add("(");
				test.write(this);
				add(")");
			}
			else {
				test.write(this);
			}
		}

	}

	/** One node of a condition. */
	private sealed interface Test {

		boolean holds(Map<String, AttributeValue> attributes);

		void write(Text text);

		int operators();

		int levels();

		/** Joins tests of one kind into one group, so that chains are not nested. */
		default Test with(boolean all, Test other) {
			return new Group(all, Stream.concat(parts(all), other.parts(all)).toList());
		}

		default Stream<Test> parts(boolean all) {
			return Stream.of(this);
		}

	}

	private record Exists(String name) implements Test {

		@Override
		public boolean holds(Map<String, AttributeValue> attributes) {
			return attributes.containsKey(this.name);
		}

		@Override
		public void write(Text text) {
			text.add("attribute_exists(").name(this.name).add(")");
		}

		@Override
		public int operators() {
			return 1;
		}

		@Override
		public int levels() {
			return 1;
		}

	}

	private record Comparison(String name, Operator operator, AttributeValue value) implements Test {

		@Override
		public boolean holds(Map<String, AttributeValue> attributes) {
			AttributeValue found = attributes.get(this.name);
			if (found == null || found.type() != this.value.type()) {
				return this.operator == Operator.NOT_EQUAL;
			}
			return this.operator
				.holds((found.n() != null) ? new BigDecimal(found.n()).compareTo(new BigDecimal(this.value.n()))
						: Arrays.compareUnsigned(bytes(found), bytes(this.value)));
		}

		private static byte[] bytes(AttributeValue string) {
			return string.s().getBytes(StandardCharsets.UTF_8);
		}

		@Override
		public void write(Text text) {
			text.name(this.name).add(" " + this.operator.sign + " ").add(text.values().apply(this.value));
		}

		@Override
		public int operators() {
			return 1;
		}

		@Override
		public int levels() {
			return 1;
		}

	}

	private record Not(Test test) implements Test {

		@Override
		public boolean holds(Map<String, AttributeValue> attributes) {
			return !this.test.holds(attributes);
		}

		@Override
		public void write(Text text) {
			text.add("NOT ").operand(this.test);
		}

		@Override
		public int operators() {
			return this.test.operators() + 1;
		}

		@Override
		public int levels() {
			return this.test.levels() + 1;
		}

	}

	/** Joins at least two tests, all or any of which must hold. */
	private record Group(boolean all, List<Test> tests) implements Test {

		@Override
		public boolean holds(Map<String, AttributeValue> attributes) {
			return this.all ? this.tests.stream().allMatch((test) -> test.holds(attributes))
					: this.tests.stream().anyMatch((test) -> test.holds(attributes));
		}

		@Override
		public void write(Text text) {
			String separator = "";
			for (Test test : this.tests) {
				text.add(separator).operand(test);
				separator = this.all ? " AND " : " OR ";
			}
		}

		@Override
		public int operators() {
			return this.tests.size() - 1 + this.tests.stream().mapToInt(Test::operators).sum();
		}

		@Override
		public int levels() {
			return 1 + this.tests.stream().mapToInt(Test::levels).max().orElse(0);
		}

		@Override
		public Stream<Test> parts(boolean joinsAll) {
			return (joinsAll == this.all) ? this.tests.stream() : Stream.of(this);
		}

	}

}

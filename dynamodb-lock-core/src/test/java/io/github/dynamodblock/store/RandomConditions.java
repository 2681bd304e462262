/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.github.dynamodblock.ItemCondition;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Conditions and items with values that are easily compared in a wrong way, and whether
 * the items meet the conditions. The same seed gives the same ones.
 */
final class RandomConditions {

	private static final List<String> NAMES = List.of("a", "b", "status", "the name: #c");

	/** In another order by the chars of Java than by the bytes of UTF-8. */
	private static final List<String> STRINGS = List.of("", "a", "ab", "b", "B", "10", "9", "\u00e9", "\uffe6",
			"\ud83d\ude00");

	/** In another order as strings; some are equal, and some differ in the last digit. */
	private static final List<String> NUMBERS = List.of("0", "-0", "1", "1.0", "10", "1E+1", "9", "-1.5", "-15E-1",
			"99999999999999999999999999999999999999", "99999999999999999999999999999999999998", "1E-130", "-1E-130",
			"9.9E125", "0.1", "0.10000000000000000000000000000000000001");

	private final Random random;

	RandomConditions(long seed) {
		this.random = new Random(seed);
	}

	Map<String, AttributeValue> attributes() {
		Map<String, AttributeValue> attributes = new HashMap<>();
		for (String name : NAMES) {
			switch (this.random.nextInt(8)) {
				case 0, 1 -> {
				}
				case 2 -> attributes.put(name, other());
				default -> attributes.put(name, value());
			}
		}
		return attributes;
	}

	Known condition() {
		return condition(4);
	}

	private Known condition(int levels) {
		if (levels == 0 || this.random.nextInt(4) == 0) {
			return simple();
		}
		return switch (this.random.nextInt(5)) {
			case 0 -> condition(levels - 1).not();
			case 1, 2 -> condition(levels - 1).and(condition(levels - 1));
			default -> condition(levels - 1).or(condition(levels - 1));
		};
	}

	private Known simple() {
		String name = any(NAMES);
		AttributeValue value = value();
		return switch (this.random.nextInt(8)) {
			case 0 -> compared(ItemCondition.equalTo(name, value), name, value, (order) -> order == 0);
			case 1 -> compared(ItemCondition.equalTo(name, value), name, value, (order) -> order == 0)
				.as(ItemCondition.notEqualTo(name, value), Predicate::negate);
			case 2 -> compared(ItemCondition.lessThan(name, value), name, value, (order) -> order < 0);
			case 3 -> compared(ItemCondition.atMost(name, value), name, value, (order) -> order <= 0);
			case 4 -> compared(ItemCondition.greaterThan(name, value), name, value, (order) -> order > 0);
			case 5 -> compared(ItemCondition.atLeast(name, value), name, value, (order) -> order >= 0);
			case 6 -> new Known(ItemCondition.exists(name), (item) -> item.containsKey(name));
			default -> new Known(ItemCondition.notExists(name), (item) -> !item.containsKey(name));
		};
	}

	private static Known compared(ItemCondition condition, String name, AttributeValue value, IntPredicate sign) {
		return new Known(condition, (item) -> {
			AttributeValue found = item.get(name);
			return found != null && found.type() == value.type() && sign.test(compare(found, value));
		});
	}

	private static int compare(AttributeValue one, AttributeValue other) {
		return (one.n() != null) ? new BigDecimal(one.n()).compareTo(new BigDecimal(other.n())) : Arrays
			.compareUnsigned(one.s().getBytes(StandardCharsets.UTF_8), other.s().getBytes(StandardCharsets.UTF_8));
	}

	private AttributeValue value() {
		return this.random.nextBoolean() ? AttributeValue.fromS(any(STRINGS)) : AttributeValue.fromN(any(NUMBERS));
	}

	private AttributeValue other() {
		return any(List.of(AttributeValue.fromBool(true), AttributeValue.fromNul(true),
				AttributeValue.fromB(SdkBytes.fromUtf8String("a")), AttributeValue.fromSs(List.of("a")),
				AttributeValue.fromNs(List.of("1")), AttributeValue.fromL(List.of(AttributeValue.fromN("1"))),
				AttributeValue.fromM(Map.of("a", AttributeValue.fromS("a")))));
	}

	private <T> T any(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	/**
	 * As many operators as are allowed, with the longest texts. It holds for any item.
	 */
	static ItemCondition widest() {
		ItemCondition condition = ItemCondition.exists("none").not();
		for (int number = 0; number < 66; number++) {
			condition = condition.and(ItemCondition.notExists("attribute-" + number));
		}
		return condition;
	}

	/** Thirty levels. It holds for any item. */
	static ItemCondition deepest() {
		ItemCondition condition = ItemCondition.notExists("none");
		for (int level = 0; level < 14; level++) {
			ItemCondition other = ItemCondition.notExists("attribute-" + level);
			condition = condition.and(other).or(other);
		}
		return condition;
	}

	/**
	 * A condition, and what it means.
	 */
	record Known(ItemCondition condition, Predicate<Map<String, AttributeValue>> meaning) {

		Known not() {
			return as(this.condition.not(), Predicate::negate);
		}

		Known and(Known other) {
			return as(this.condition.and(other.condition), (meaning) -> meaning.and(other.meaning));
		}

		Known or(Known other) {
			return as(this.condition.or(other.condition), (meaning) -> meaning.or(other.meaning));
		}

		Known as(ItemCondition changed, UnaryOperator<Predicate<Map<String, AttributeValue>>> meaning) {
			return new Known(changed, meaning.apply(this.meaning));
		}

	}

}

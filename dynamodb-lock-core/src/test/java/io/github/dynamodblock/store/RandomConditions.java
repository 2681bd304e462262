/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.dynamodblock.ItemCondition;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Conditions and items with values that are easily compared in a wrong way. The same seed
 * gives the same ones.
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

	ItemCondition condition() {
		return condition(4);
	}

	private ItemCondition condition(int levels) {
		if (levels == 0 || this.random.nextInt(4) == 0) {
			return simple();
		}
		return switch (this.random.nextInt(5)) {
			case 0 -> condition(levels - 1).not();
			case 1, 2 -> condition(levels - 1).and(condition(levels - 1));
			default -> condition(levels - 1).or(condition(levels - 1));
		};
	}

	private ItemCondition simple() {
		String name = any(NAMES);
		return switch (this.random.nextInt(8)) {
			case 0 -> ItemCondition.equalTo(name, value());
			case 1 -> ItemCondition.notEqualTo(name, value());
			case 2 -> ItemCondition.lessThan(name, value());
			case 3 -> ItemCondition.atMost(name, value());
			case 4 -> ItemCondition.greaterThan(name, value());
			case 5 -> ItemCondition.atLeast(name, value());
			case 6 -> ItemCondition.exists(name);
			default -> ItemCondition.notExists(name);
		};
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

	/** As many levels as are allowed. It holds for any item. */
	static ItemCondition deepest() {
		ItemCondition condition = ItemCondition.notExists("none");
		for (int level = 0; level < 14; level++) {
			ItemCondition other = ItemCondition.notExists("attribute-" + level);
			condition = condition.and(other).or(other);
		}
		return condition;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.util.List;
import java.util.Map;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * That DynamoDB evaluates conditions in the same way is a part of
 * {@code LockStoreContract}.
 */
class ItemConditionTests {

	private static final ItemCondition A = ItemCondition.exists("a");

	private static final ItemCondition B = ItemCondition.exists("b");

	private static final ItemCondition C = ItemCondition.exists("c");

	private static final String TWO_UNITS = "\ud83d\ude00";

	@Test
	void numbersAreComparedAsNumbersAndStringsByTheirBytes() {
		Map<String, AttributeValue> item = Map.of("n", number("9"), "s", string("9"));
		assertThat(ItemCondition.lessThan("n", number("10")).holds(item)).isTrue();
		assertThat(ItemCondition.lessThan("s", string("10")).holds(item)).isFalse();
		assertThat(ItemCondition.equalTo("n", number("9.00")).holds(item)).isTrue();
		assertThat(ItemCondition.atMost("n", number("0.9E1")).holds(item)).isTrue();
		assertThat(ItemCondition.greaterThan("n", number("8.9999999999999999999999999999999999999")).holds(item))
			.isTrue();
		assertThat(ItemCondition.greaterThan("s", string("\uffe6")).holds(Map.of("s", string(TWO_UNITS)))).isTrue();
	}

	@Test
	void aMissingAttributeOrOneOfAnotherTypeIsUnequalAndNothingElse() {
		AttributeValue one = number("1");
		for (Map<String, AttributeValue> item : List.of(Map.of("n", string("1")), Map.<String, AttributeValue>of())) {
			assertThat(ItemCondition.notEqualTo("n", one).holds(item)).isTrue();
			for (ItemCondition condition : List.of(ItemCondition.equalTo("n", one), ItemCondition.lessThan("n", one),
					ItemCondition.atMost("n", one), ItemCondition.greaterThan("n", one),
					ItemCondition.atLeast("n", one))) {
				assertThat(condition.holds(item)).as("%s", condition).isFalse();
				assertThat(condition.not().holds(item)).as("%s", condition.not()).isTrue();
			}
		}
	}

	@Test
	void theTextHasParenthesesWhereTheMeaningNeedsThemAndNoValues() {
		assertThat(A.and(B).and(C)).hasToString("attribute_exists(a) AND attribute_exists(b) AND attribute_exists(c)");
		assertThat(A.and(B.or(C))).hasToString("attribute_exists(a) AND (attribute_exists(b) OR attribute_exists(c))");
		assertThat(A.and(B).not().or(C))
			.hasToString("NOT (attribute_exists(a) AND attribute_exists(b)) OR attribute_exists(c)");
		assertThat(ItemCondition.atLeast("tick", number("42")).not()).hasToString("NOT tick >= ?");
		assertThat(A.not().not()).isEqualTo(A);
		assertThat(ItemCondition.exists("a\nb")).hasToString("attribute_exists(a\\u000ab)");
	}

	@Test
	void conditionsWithTheSamePartsAreEqual() {
		ItemCondition less = ItemCondition.lessThan("n", number("1"));
		assertThat(A.and(less)).isEqualTo(ItemCondition.exists("a").and(ItemCondition.lessThan("n", number("1"))))
			.hasSameHashCodeAs(A.and(less))
			.isNotEqualTo(A.or(less))
			.isNotEqualTo(A.and(ItemCondition.lessThan("n", number("2"))));
		assertThat(A.and(less).or(C.not()).attributeNames()).containsExactly("a", "c", "n");
	}

	@Test
	void namesAndValuesThatDynamoDbDoesNotTakeAreRefused() {
		refused(() -> ItemCondition.exists(""), "1 to 255 characters");
		refused(() -> ItemCondition.notExists("a".repeat(256)), "1 to 255 characters");
		refused(() -> ItemCondition.equalTo("a", AttributeValue.fromBool(true)), "'a'", "type BOOL",
				"a string or a number");
		refused(() -> ItemCondition.equalTo("a", AttributeValue.builder().build()), "'a'", "without a type");
		refused(() -> ItemCondition.equalTo("a", string("\ud83d")), "'a'", "surrogate");
		for (String number : List.of("1E126", "1E-131", "1E99999999999", "1".repeat(39))) {
			refused(() -> ItemCondition.equalTo("a", number(number)), "'a'", "'" + number + "'", "38 digits");
		}
		refused(() -> ItemCondition.equalTo("a", number("ten")), "'a'", "'ten'");
	}

	@Test
	void aConditionThatDoesNotFitIntoOneRequestIsRefused() {
		refused(() -> {
			ItemCondition wide = A;
			for (int number = 0; number < 100; number++) {
				wide = wide.and(ItemCondition.exists("a" + number));
			}
		}, "201 operators", "at most 200");
		refused(() -> {
			ItemCondition deep = A;
			for (int level = 0; level < 15; level++) {
				deep = deep.and(B).or(C);
			}
		}, "31 levels", "at most 30");
	}

	private static void refused(ThrowingCallable call, String... words) {
		assertThatIllegalArgumentException().isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.getMessage()).contains(words));
	}

	private static AttributeValue number(String digits) {
		return AttributeValue.fromN(digits);
	}

	private static AttributeValue string(String text) {
		return AttributeValue.fromS(text);
	}

}

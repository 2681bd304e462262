/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

/**
 * What DynamoDB makes of conditions is a part of {@code LockStoreContract}.
 */
class ItemConditionTests {

	private static final ItemCondition A = ItemCondition.exists("a");

	private static final ItemCondition B = ItemCondition.exists("b");

	private static final ItemCondition C = ItemCondition.exists("c");

	@Test
	void theTextHasParenthesesWhereTheMeaningNeedsThemAndNoValues() {
		assertThat(A.and(B).and(C)).hasToString("attribute_exists(a) AND attribute_exists(b) AND attribute_exists(c)");
		assertThat(A.and(B.or(C))).hasToString("attribute_exists(a) AND (attribute_exists(b) OR attribute_exists(c))");
		assertThat(A.and(B).not().or(C))
			.hasToString("NOT (attribute_exists(a) AND attribute_exists(b)) OR attribute_exists(c)");
		assertThat(ItemCondition.atLeast("tick", number("42")).not()).hasToString("NOT tick >= ?");
		assertThat(ItemCondition.exists("a\nb")).hasToString("attribute_exists(a\\u000ab)");
	}

	@Test
	void theExpressionHasAPlaceholderForEachNameAndEachValue() {
		ItemCondition condition = A.and(ItemCondition.lessThan("n", number("1")))
			.or(ItemCondition.equalTo("a", string(":")));
		assertThat(condition.expression()).isEqualTo("(attribute_exists(#c0) AND #c1 < :c0) OR #c2 = :c1");
		assertThat(condition.names()).containsExactly(entry("#c0", "a"), entry("#c1", "n"), entry("#c2", "a"));
		assertThat(condition.values()).containsExactly(entry(":c0", number("1")), entry(":c1", string(":")));
	}

	@Test
	void namesAndValuesThatDynamoDbDoesNotTakeAreRefused() {
		refused(() -> ItemCondition.exists(""), "1 to 255 characters");
		refused(() -> ItemCondition.notExists("a".repeat(256)), "1 to 255 characters");
		refused(() -> ItemCondition.equalTo("a", AttributeValue.fromBool(true)), "'a'", "type BOOL",
				"a string or a number");
		refused(() -> ItemCondition.equalTo("a", AttributeValue.builder().build()), "'a'", "without a type");
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

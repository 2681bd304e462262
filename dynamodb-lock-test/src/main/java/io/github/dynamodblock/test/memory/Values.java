/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test.memory;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How DynamoDB compares and counts attribute values. */
final class Values {

	private Values() {
	}

	static boolean equal(@Nullable AttributeValue one, @Nullable AttributeValue other) {
		if (one == null || other == null) {
			return false;
		}
		return (one.n() != null && other.n() != null) ? number(one).compareTo(number(other)) == 0 : one.equals(other);
	}

	/** The order of two values; empty if they have none. */
	static OptionalInt compare(@Nullable AttributeValue one, @Nullable AttributeValue other) {
		if (one == null || other == null) {
			return OptionalInt.empty();
		}
		if (one.n() != null && other.n() != null) {
			return OptionalInt.of(number(one).compareTo(number(other)));
		}
		if (one.s() != null && other.s() != null) {
			return OptionalInt.of(compare(one.s(), other.s()));
		}
		if (one.b() != null && other.b() != null) {
			return OptionalInt.of(Arrays.compareUnsigned(one.b().asByteArray(), other.b().asByteArray()));
		}
		return OptionalInt.empty();
	}

	/** By the bytes of UTF-8, which is not the order of Java's chars. */
	static int compare(String one, String other) {
		return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
	}

	static BigDecimal number(AttributeValue value) {
		if (value.n() == null) {
			throw Failures.validation("An operand in the update expression has an incorrect data type");
		}
		return new BigDecimal(value.n());
	}

	static AttributeValue number(BigDecimal value) {
		return AttributeValue.fromN(value.stripTrailingZeros().toPlainString());
	}

	/** The name of a value's type, as attribute_type() has it. */
	static String type(AttributeValue value) {
		return switch (value.type()) {
			case NUL -> "NULL";
			case UNKNOWN_TO_SDK_VERSION -> throw Failures.validation("A value has no type");
			default -> value.type().name();
		};
	}

}

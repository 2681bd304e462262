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

	/** Compares two values; empty if they cannot be compared. */
	static OptionalInt compare(@Nullable AttributeValue one, @Nullable AttributeValue other) {
		if (one == null || other == null) {
			return OptionalInt.empty();
		}
		if (one.n() != null && other.n() != null) {
			return OptionalInt.of(number(one).compareTo(number(other)));
		}
		if (one.s() != null && other.s() != null) {
			// By UTF-8 bytes, whose order differs from that of Java's chars.
			return OptionalInt.of(Arrays.compareUnsigned(one.s().getBytes(StandardCharsets.UTF_8),
					other.s().getBytes(StandardCharsets.UTF_8)));
		}
		if (one.b() != null && other.b() != null) {
			return OptionalInt.of(Arrays.compareUnsigned(one.b().asByteArray(), other.b().asByteArray()));
		}
		return OptionalInt.empty();
	}

	static BigDecimal number(AttributeValue value) {
		if (value.n() == null) {
			throw Failures.validation("An operand in the update expression has an incorrect data type");
		}
		return new BigDecimal(value.n());
	}

	/** Returns the length of a string or of bytes, or the number of elements. */
	static int size(AttributeValue value) {
		if (value.s() != null) {
			return value.s().length();
		}
		return (value.b() != null) ? value.b().asByteArray().length
				: value.l().size() + value.m().size() + value.ss().size();
	}

	/** Returns the name of a value's type, as in attribute_type(). */
	static String type(AttributeValue value) {
		return switch (value.type()) {
			case NUL -> "NULL";
			case UNKNOWN_TO_SDK_VERSION -> throw Failures.validation("A value has no type");
			default -> value.type().name();
		};
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.time.OffsetDateTime;
import java.time.chrono.ChronoZonedDateTime;
import java.util.Date;
import java.util.Set;
import java.util.TimeZone;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Turns names and values into lock keys.
 *
 * @param prefix the prefix of every key; may be empty
 * @param sort the sort key of every lock, or {@code null} for a table without sort key
 */
public record LockNaming(String prefix, @Nullable String sort) {

	// By name, because JDBC is optional.
	private static final Set<String> LOCAL_DATES = Set.of("java.sql.Date", "java.sql.Time");

	/** A key has at most 2,048 bytes. */
	private static final int MOST_ZEROS = 2048;

	/**
	 * Creates the key of an annotated method's lock. A name has no colon, so different
	 * pairs have different keys.
	 * @param name the name
	 * @param text the text of the key expression's value, or {@code null} if there is no
	 * expression
	 * @return the key
	 * @throws IllegalArgumentException if the key is invalid
	 */
	public LockKey key(String name, @Nullable String text) {
		return key((text == null) ? name : name + ":" + text);
	}

	/**
	 * Creates the key of a lock.
	 * @param text the key without the prefix
	 * @return the key
	 * @throws IllegalArgumentException if the key is invalid
	 */
	public LockKey key(String text) {
		return new LockKey(this.prefix + text, this.sort);
	}

	/**
	 * Converts a value to a string. Equal values have the same string on every node,
	 * independent of the node's time zone and name resolution.
	 * @param value a simple value, such as a string, a number, a date or an enum constant
	 * @return the string, not blank
	 * @throws IllegalArgumentException if the value is {@code null}, blank or of another
	 * kind. The message continues a sentence that begins with the value.
	 */
	public static String text(@Nullable Object value) {
		if (value == null) {
			throw new IllegalArgumentException("is null; a lock key needs a value");
		}
		if (!ClassUtils.isSimpleValueType(value.getClass())) {
			throw new IllegalArgumentException(
					"is a " + value.getClass().getTypeName() + ", which is not a simple value; use the property that "
							+ "identifies it, such as .id, or .toString() if that string identifies it");
		}
		if (value instanceof Double || value instanceof Float) {
			throw new IllegalArgumentException("is a " + value.getClass().getTypeName()
					+ ", which rounding may change; use a whole number, a BigDecimal or a string");
		}
		String text = stableText(value);
		if (text.isBlank()) {
			throw new IllegalArgumentException("is blank; a lock key needs a value");
		}
		return text;
	}

	@SuppressWarnings("JavaUtilDate") // callers choose what their keys are
	private static String stableText(Object value) {
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		// Of the JDBC types, only a timestamp is a point in time.
		if (value instanceof Date date && !LOCAL_DATES.contains(date.getClass().getName())) {
			return date.toInstant().toString();
		}
		if (value instanceof OffsetDateTime time) {
			return time.toInstant().toString();
		}
		if (value instanceof ChronoZonedDateTime<?> time) {
			return time.toInstant().toString();
		}
		if (value instanceof BigDecimal number) {
			return canonical(number);
		}
		if (value instanceof TimeZone zone) {
			return zone.getID();
		}
		return (value instanceof InetAddress address) ? address.getHostAddress() : value.toString();
	}

	/** Returns the same text for equal numbers: 100.00 and 1E+2 are 100. */
	private static String canonical(BigDecimal number) {
		BigDecimal stripped = number.stripTrailingZeros();
		// 1E+999999999 would become a text with a billion zeros.
		boolean plain = stripped.scale() > -MOST_ZEROS && stripped.scale() < MOST_ZEROS;
		return plain ? stripped.toPlainString() : stripped.toString();
	}

}

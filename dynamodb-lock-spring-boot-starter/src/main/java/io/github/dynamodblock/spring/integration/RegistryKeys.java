/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.integration;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.temporal.TemporalAccessor;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * How the keys that users give become those of locks.
 *
 * @param prefix what every key begins with
 * @param sortKey the sort key of every lock, or {@code null}
 */
record RegistryKeys(String prefix, @Nullable String sortKey) {

	/** Their text is the same in every process, and never changes. */
	private static final Set<Class<?>> KINDS = Set.of(String.class, Character.class, Boolean.class, Byte.class,
			Short.class, Integer.class, Long.class, Float.class, Double.class, BigInteger.class, BigDecimal.class,
			UUID.class, URI.class);

	LockKey key(Object lockKey) {
		Objects.requireNonNull(lockKey, "lockKey");
		String text = text(lockKey);
		if (text.isBlank()) {
			throw new IllegalArgumentException("lockKey is blank; a lock needs a key");
		}
		return new LockKey(this.prefix + text, this.sortKey);
	}

	private static String text(Object lockKey) {
		if (lockKey instanceof Enum<?> constant) {
			return constant.name();
		}
		if (KINDS.contains(lockKey.getClass()) || isDateOrTime(lockKey)) {
			return lockKey.toString();
		}
		throw new IllegalArgumentException("lockKey is a " + lockKey.getClass().getTypeName()
				+ ", whose text need not be the same in every process; give a text, a number, an enum constant or a "
				+ "UUID, such as the identifier of what is to be locked");
	}

	/** Those of the JDK: the text of another calendar is unknown. */
	private static boolean isDateOrTime(Object lockKey) {
		return lockKey instanceof TemporalAccessor && lockKey.getClass().getPackageName().equals("java.time");
	}

}

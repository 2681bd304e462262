/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How many bytes DynamoDB counts for what an item holds, by the rules that its
 * documentation gives.
 */
final class ItemSize {

	/** What a number takes at most. */
	private static final int NUMBER = 21;

	private static final int COLLECTION = 3;

	private ItemSize() {
	}

	static long of(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

	static long of(Map<String, AttributeValue> attributes) {
		return attributes.entrySet().stream().mapToLong((entry) -> of(entry.getKey()) + of(entry.getValue())).sum();
	}

	private static long of(AttributeValue value) {
		return switch (value.type()) {
			case S -> of(value.s());
			case N -> NUMBER;
			case B -> value.b().asByteArrayUnsafe().length;
			case SS -> value.ss().stream().mapToLong(ItemSize::of).sum();
			case NS -> (long) NUMBER * value.ns().size();
			case BS -> value.bs().stream().map(SdkBytes::asByteArrayUnsafe).mapToLong((bytes) -> bytes.length).sum();
			case M -> COLLECTION + value.m().size() + of(value.m());
			case L -> COLLECTION + value.l().size() + of(value.l());
			default -> 1;
		};
	}

	private static long of(List<AttributeValue> values) {
		return values.stream().mapToLong(ItemSize::of).sum();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.store;

import java.time.Instant;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How the end of a lease by the owner's clock is written in an item: the record version
 * number that it belongs to, and epoch milliseconds. A write by a client that does not
 * know it leaves it as it was, and makes it void by its own record version number.
 */
final class LeaseEndText {

	private static final char SEPARATOR = '|';

	private static final Pattern MILLISECONDS = Pattern.compile("[0-9]{1,15}");

	private LeaseEndText() {
	}

	static String write(String recordVersionNumber, Instant leaseEnds) {
		return recordVersionNumber + SEPARATOR + leaseEnds.toEpochMilli();
	}

	/**
	 * The end of the lease, or {@code null} if it is not said for this version.
	 */
	static @Nullable Instant read(String recordVersionNumber, @Nullable AttributeValue value) {
		String prefix = recordVersionNumber + SEPARATOR;
		if (value == null || value.s() == null || !value.s().startsWith(prefix)) {
			return null;
		}
		String milliseconds = value.s().substring(prefix.length());
		return MILLISECONDS.matcher(milliseconds).matches() ? Instant.ofEpochMilli(Long.parseLong(milliseconds)) : null;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The name under which a client holds locks.
 */
final class OwnerName {

	private OwnerName() {
	}

	static String checked(String ownerName) {
		if (Objects.requireNonNull(ownerName, "ownerName").isEmpty()) {
			throw new IllegalArgumentException("ownerName is empty; give the name of whoever is to hold the locks");
		}
		return ownerName;
	}

	static String printable(String ownerName) {
		if (!Printable.isPrintable(checked(ownerName))) {
			throw new IllegalArgumentException("ownerName is '" + Printable.of(ownerName)
					+ "', with a control character; give a name that logs can show");
		}
		return ownerName;
	}

	/** The configured name, or else the host's, made unique by a random suffix. */
	static String unique(@Nullable String configured) {
		return ((configured != null) ? configured : hostName()) + "-" + UUID.randomUUID();
	}

	private static String hostName() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			// The suffix alone tells owners apart; the host is for people to read.
			return "unknown-host";
		}
	}

}

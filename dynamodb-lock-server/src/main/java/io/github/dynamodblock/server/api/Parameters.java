/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.api;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import io.github.dynamodblock.server.lock.LockName;
import org.jspecify.annotations.Nullable;

/**
 * Validates the path, query and headers of a request. All violations are reported at
 * once, in the order of the path. For each parameter, its length comes first.
 */
public final class Parameters {

	private static final int SHORTEST = 3;

	private static final int LONGEST = 64;

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]*");

	private static final Pattern KEY = Pattern.compile("[!-~]{1,255}");

	private Parameters() {
	}

	/**
	 * Validates the path.
	 * @param namespace the path's namespace
	 * @param lockName the path's lock name
	 * @return the lock
	 * @throws InvalidRequestException if it cannot be one
	 */
	static LockName lockName(String namespace, String lockName) {
		return lockName(namespace, lockName, null);
	}

	/**
	 * Validates the path and the idempotency key.
	 * @param namespace the path's namespace
	 * @param lockName the path's lock name
	 * @param idempotencyKey the header, or {@code null} if there is none
	 * @return the lock of the path
	 * @throws InvalidRequestException if the path or the header is invalid
	 */
	static LockName lockName(String namespace, String lockName, @Nullable String idempotencyKey) {
		List<String> violations = new ArrayList<>();
		check("namespace", "Namespace", namespace, violations);
		check("lockName", "Lock name", lockName, violations);
		if (idempotencyKey != null && !KEY.matcher(idempotencyKey).matches()) {
			violations.add(violation("Idempotency-Key",
					"Idempotency key must be 1 to 255 printable ASCII characters without spaces"));
		}
		if (!violations.isEmpty()) {
			throw new InvalidRequestException("Validation failed", violations);
		}
		return new LockName(namespace, lockName);
	}

	/**
	 * Validates a namespace that is not part of a path.
	 * @param namespace the namespace
	 * @return the namespace
	 * @throws InvalidRequestException if it cannot be one
	 */
	public static String namespace(String namespace) {
		List<String> violations = new ArrayList<>();
		check("namespace", "Namespace", namespace, violations);
		if (!violations.isEmpty()) {
			throw new InvalidRequestException("Validation failed", violations);
		}
		return namespace;
	}

	private static void check(String parameter, String subject, String value, List<String> violations) {
		if (value.length() < SHORTEST || value.length() > LONGEST) {
			violations.add(violation(parameter,
					subject + " must be between " + SHORTEST + " and " + LONGEST + " characters long"));
		}
		if (!NAME.matcher(value).matches()) {
			violations.add(violation(parameter, subject + " must be alphanumeric with dashes and underscores only"));
		}
	}

	private static String violation(String parameter, String rule) {
		return "Parameter '" + parameter + "' failed validation: " + rule;
	}

}

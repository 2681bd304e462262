/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.api;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Whose locks a call is about.
 */
final class Owner {

	private static final String ANONYMOUS = "anonymous";

	private Owner() {
	}

	/**
	 * The owner that calls.
	 * @param caller who has proved who it is, or {@code null} where nobody is asked to
	 * @return the subject of the caller's token, or {@code anonymous}
	 */
	static String of(@Nullable Principal caller) {
		return (caller == null) ? ANONYMOUS : caller.getName();
	}

}

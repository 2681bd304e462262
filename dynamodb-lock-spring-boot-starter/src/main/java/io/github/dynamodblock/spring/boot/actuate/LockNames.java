/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.boot.actuate;

import java.util.Optional;

/**
 * What meters and observations call locks.
 */
final class LockNames {

	/** What locks are called whose request has no name. */
	static final String UNNAMED = "unnamed";

	private LockNames() {
	}

	static String orUnnamed(Optional<String> name) {
		return name.orElse(UNNAMED);
	}

}

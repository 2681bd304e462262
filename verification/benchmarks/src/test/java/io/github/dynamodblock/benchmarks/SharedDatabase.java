/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The database of all tests. It ends with this process.
 */
final class SharedDatabase {

	static final DatabaseProcess INSTANCE = start();

	private SharedDatabase() {
	}

	private static DatabaseProcess start() {
		try {
			return DatabaseProcess.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}

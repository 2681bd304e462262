/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.util.List;

/**
 * A measurement against DynamoDB Local.
 */
interface Benchmark {

	/**
	 * Measures, on a table of its own.
	 * @param database where the table is
	 * @return what came out
	 * @throws InterruptedException if this thread is interrupted
	 */
	List<Figure> measure(DatabaseProcess database) throws InterruptedException;

}

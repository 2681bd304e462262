/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/**
 * Measures the reachable heap of this process.
 */
final class UsedHeap {

	private static final int COLLECTIONS = 3;

	private UsedHeap() {
	}

	/** The heap that garbage collection leaves, in bytes. */
	static long bytes() {
		MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
		// References cleared by one collection free more in the next.
		for (int i = 0; i < COLLECTIONS; i++) {
			memory.gc();
		}
		return memory.getHeapMemoryUsage().getUsed();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

/**
 * The processor time and the memory that this process has used since its start.
 *
 * <p>
 * The processor time is that of the whole process, in user and system mode, so threads of
 * the lock client, of the SDK, of the compiler and of the garbage collector count. Linux
 * tells it in steps of 10 ms. The memory is what all Java threads allocated. Threads that
 * end between two readings are not counted, so a measurement keeps its threads alive.
 */
final class ProcessUsage {

	private static final OperatingSystemMXBean PROCESS = ManagementFactory
		.getPlatformMXBean(OperatingSystemMXBean.class);

	private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

	private final long cpuNanos;

	private final Map<Long, Long> allocatedBytes;

	private ProcessUsage(long cpuNanos, Map<Long, Long> allocatedBytes) {
		this.cpuNanos = cpuNanos;
		this.allocatedBytes = allocatedBytes;
	}

	static ProcessUsage now() {
		long[] ids = THREADS.getAllThreadIds();
		long[] bytes = THREADS.getThreadAllocatedBytes(ids);
		Map<Long, Long> allocated = new HashMap<>();
		for (int i = 0; i < ids.length; i++) {
			// A thread that has just ended is reported as -1.
			allocated.put(ids[i], Math.max(0, bytes[i]));
		}
		return new ProcessUsage(PROCESS.getProcessCpuTime(), allocated);
	}

	long cpuNanosSince(ProcessUsage before) {
		return this.cpuNanos - before.cpuNanos;
	}

	long allocatedBytesSince(ProcessUsage before) {
		return this.allocatedBytes.entrySet()
			.stream()
			.mapToLong((thread) -> thread.getValue() - before.allocatedBytes.getOrDefault(thread.getKey(), 0L))
			.filter((bytes) -> bytes > 0)
			.sum();
	}

}

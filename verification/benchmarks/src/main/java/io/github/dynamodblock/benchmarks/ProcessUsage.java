/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

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

	private static final Path THREAD_STATUS = Path.of("/proc/thread-self/status");

	private static final String PREEMPTIONS = "nonvoluntary_ctxt_switches:";

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

	/**
	 * How often the system has taken the processor from this thread, although the thread
	 * did not wait.
	 * @return the number since the thread's start; empty if the system does not tell it
	 * as Linux does
	 */
	static OptionalLong preemptionsOfThisThread() {
		if (!Files.isReadable(THREAD_STATUS)) {
			return OptionalLong.empty();
		}
		try (Stream<String> lines = Files.lines(THREAD_STATUS)) {
			return lines.filter((line) -> line.startsWith(PREEMPTIONS))
				.mapToLong((line) -> Long.parseLong(line.substring(PREEMPTIONS.length()).strip()))
				.findFirst();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one embedded server, identified by their thread group. Some are DynamoDB
 * Local's own threads. They are not daemons, and nothing else shows to which server they
 * belong.
 */
final class ServerThreads {

	private static final Logger logger = LoggerFactory.getLogger(ServerThreads.class);

	private static final Duration END_LIMIT = Duration.ofSeconds(5);

	/** How long busy threads may continue before they are interrupted, too. */
	private static final Duration WORK_LIMIT = Duration.ofSeconds(2);

	private static final ThreadGroup ROOT = root();

	private static final ThreadGroup ALL_SERVERS = new ThreadGroup(ROOT, "embedded-dynamodb");

	private final ThreadGroup group = new ThreadGroup(ALL_SERVERS, "embedded-dynamodb");

	ThreadGroup group() {
		return this.group;
	}

	/**
	 * Interrupts sleeping threads, gives the others time to finish, and waits until all
	 * have ended.
	 */
	void end() {
		long started = System.nanoTime();
		List<Thread> left = alive(this.group);
		boolean interrupted = false;
		while (!left.isEmpty() && System.nanoTime() - started < END_LIMIT.toNanos()) {
			boolean alsoAtWork = System.nanoTime() - started > WORK_LIMIT.toNanos();
			left.stream()
				.filter((thread) -> alsoAtWork || thread.getState() == Thread.State.TIMED_WAITING)
				.forEach(Thread::interrupt);
			try {
				left.get(0).join(20);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			left = alive(this.group);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		if (!left.isEmpty()) {
			logger.warn("Threads of the embedded DynamoDB did not end within {} s: {}", END_LIMIT.toSeconds(), left);
		}
	}

	/**
	 * Returns a thread that does not count when {@link #onlyServersKeepTheJvmAlive()}
	 * decides.
	 */
	static Thread notCounted(Runnable task, String name) {
		return new Thread(ALL_SERVERS, task, name);
	}

	/**
	 * Whether only embedded servers keep the JVM alive.
	 */
	static boolean onlyServersKeepTheJvmAlive() {
		return alive(ROOT).stream().noneMatch(ServerThreads::isReasonToLive);
	}

	private static boolean isReasonToLive(Thread thread) {
		ThreadGroup group = thread.getThreadGroup();
		// The JVM's own thread, which waits for the others once main has returned.
		boolean waitsForTheOthers = thread.getName().equals("DestroyJavaVM");
		return group != null && !thread.isDaemon() && !ALL_SERVERS.parentOf(group) && !waitsForTheOthers;
	}

	private static List<Thread> alive(ThreadGroup group) {
		Thread[] threads = new Thread[group.activeCount() + 16];
		int count = group.enumerate(threads);
		while (count == threads.length) {
			threads = new Thread[threads.length * 2];
			count = group.enumerate(threads);
		}
		Thread self = Thread.currentThread();
		return Arrays.stream(threads, 0, count).filter((thread) -> thread != self).toList();
	}

	private static ThreadGroup root() {
		ThreadGroup group = Thread.currentThread().getThreadGroup();
		while (group.getParent() != null) {
			group = group.getParent();
		}
		return group;
	}

}

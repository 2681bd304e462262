/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

/**
 * Detects that only embedded servers keep the JVM alive, and then acts once. DynamoDB
 * Local's threads are not daemons. Without this class, an application that forgets to
 * close a server, or closes it in a shutdown hook, would never end.
 */
final class LastAliveWatch {

	private static final long PERIOD_MILLIS = 250;

	private final Thread thread;

	private LastAliveWatch(Runnable action) {
		this.thread = ServerThreads.notCounted(() -> watch(action), "embedded-dynamodb-last-alive");
	}

	static LastAliveWatch start(Runnable action) {
		LastAliveWatch watch = new LastAliveWatch(action);
		watch.thread.start();
		return watch;
	}

	void stop() {
		// The action itself may end up here.
		if (Thread.currentThread() != this.thread) {
			this.thread.interrupt();
		}
	}

	private static void watch(Runnable action) {
		try {
			while (!ServerThreads.onlyServersKeepTheJvmAlive()) {
				Thread.sleep(PERIOD_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			return;
		}
		action.run();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.test;

/**
 * Notices that only embedded servers keep the JVM alive, and acts once. DynamoDB Local's
 * threads are no daemons, so that without this an application which forgets to close a
 * server, or leaves that to a shutdown hook, would never end.
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

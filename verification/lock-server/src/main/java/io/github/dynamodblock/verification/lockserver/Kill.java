/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The end of an instance on the way, of which clients learn at once. Thread-safe.
 */
final class Kill {

	private final String instance;

	private final CountDownLatch done = new CountDownLatch(1);

	private volatile long time = Long.MAX_VALUE;

	/**
	 * Nothing is killed yet.
	 * @param instance the instance that is going to be
	 */
	Kill(String instance) {
		this.instance = instance;
	}

	String instance() {
		return this.instance;
	}

	/** When the instance was killed, by the clients' clock. */
	long time() {
		return this.time;
	}

	/** Tells everybody that the instance is dead. */
	void done() {
		this.time = System.nanoTime();
		this.done.countDown();
	}

	/** Whether an instance is dead. */
	boolean has(String instance) {
		return this.instance.equals(instance) && this.done.getCount() == 0;
	}

	/**
	 * Passes time, which ends early when an instance is killed.
	 */
	void pause(String instance, long milliseconds) throws InterruptedException {
		if (!this.instance.equals(instance) || has(instance)) {
			TimeUnit.MILLISECONDS.sleep(milliseconds);
		}
		else {
			this.done.await(milliseconds, TimeUnit.MILLISECONDS);
		}
	}

}

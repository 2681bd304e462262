/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Interrupts the thread that runs a body when a lock of the call is lost, and never after
 * the body has ended. Made, and closed, by that thread.
 */
final class InterruptOnLoss implements AutoCloseable {

	private final Thread thread = Thread.currentThread();

	private final Lock mutex = new ReentrantLock();

	private boolean ended;

	private boolean interrupted;

	/**
	 * Begins to watch.
	 * @param signal tells of the loss
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // what is done then throws nothing
	static InterruptOnLoss begin(LossSignal signal) {
		InterruptOnLoss watch = new InterruptOnLoss();
		signal.loss().thenRun(watch::interrupt);
		return watch;
	}

	private void interrupt() {
		this.mutex.lock();
		try {
			if (!this.ended) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * The body has ended. An interrupt that it did not notice is taken back, so that it
	 * does not meet what the thread does next.
	 */
	@Override
	public void close() {
		boolean unnoticed;
		this.mutex.lock();
		try {
			this.ended = true;
			unnoticed = this.interrupted;
		}
		finally {
			this.mutex.unlock();
		}
		if (unnoticed) {
			Thread.interrupted();
		}
	}

}

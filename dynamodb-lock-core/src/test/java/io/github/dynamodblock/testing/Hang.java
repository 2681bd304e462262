/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.AbortedException;

/**
 * Requests that hang until the test lets them go, which {@link #close} does. Thread-safe.
 */
public final class Hang implements CallFault, AutoCloseable {

	private final boolean interruptible;

	private final CountDownLatch over = new CountDownLatch(1);

	private final AtomicInteger hanging = new AtomicInteger();

	private Hang(boolean interruptible) {
		this.interruptible = interruptible;
	}

	/** Requests that hang until their time limit. */
	public static Hang untilTheirLimit() {
		return new Hang(true);
	}

	/**
	 * Requests that hang beyond their time limit, since nothing interrupts what they wait
	 * for: the resolution of the host's name, for example.
	 */
	public static Hang beyondTheirLimit() {
		return new Hang(false);
	}

	/** How many requests hang at this moment. */
	public int hanging() {
		return this.hanging.get();
	}

	@Override
	public void beforeSending(SdkRequest request) {
		this.hanging.incrementAndGet();
		boolean interrupted = false;
		try {
			while (!ended()) {
				interrupted = true;
				if (this.interruptible) {
					throw AbortedException.create("A hanging request was given up");
				}
			}
		}
		finally {
			this.hanging.decrementAndGet();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** Returns whether the hang is over, and not only interrupted. */
	private boolean ended() {
		try {
			this.over.await();
			return true;
		}
		catch (InterruptedException ex) {
			return false;
		}
	}

	/** Lets the requests go, and all that come later. */
	@Override
	public void close() {
		this.over.countDown();
	}

}

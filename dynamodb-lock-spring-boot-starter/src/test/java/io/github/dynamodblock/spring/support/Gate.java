/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a test hold the body of a method: the body says that it has begun, and goes on
 * when it is told to.
 */
public final class Gate {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final CountDownLatch entered = new CountDownLatch(1);

	private final CountDownLatch opened = new CountDownLatch(1);

	/** Called by the body. */
	public void pass() {
		this.entered.countDown();
		await(this.opened, "opened");
	}

	/** Returns when the body has begun. */
	public void awaitEntered() {
		await(this.entered, "entered");
	}

	public void open() {
		this.opened.countDown();
	}

	private static void await(CountDownLatch latch, String what) {
		try {
			if (!latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
				throw new IllegalStateException("The gate was not " + what + " in time");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted at the gate", ex);
		}
	}

}

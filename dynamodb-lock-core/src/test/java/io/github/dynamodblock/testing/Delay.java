/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.testing;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.AbortedException;

/**
 * A request that takes longer to arrive, unless its sender gives it up before.
 */
final class Delay implements CallFault {

	private final Duration delay;

	Delay(Duration delay) {
		this.delay = delay;
	}

	@Override
	public void beforeSending(SdkRequest request) {
		try {
			// Nobody counts it down: only the time passes.
			new CountDownLatch(1).await(this.delay.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw AbortedException.create("A delayed request was given up");
		}
	}

}

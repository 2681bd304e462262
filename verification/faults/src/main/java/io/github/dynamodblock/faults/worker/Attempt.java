/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.worker;

import java.time.Duration;
import java.util.Random;

/**
 * What a thread is to do next.
 *
 * @param lock which lock it wants
 * @param waitTime how long it waits for it; zero for one attempt
 * @param think how long it takes between reading and writing
 * @param renewed whether heartbeats keep the lock
 * @param looks whether it looks again and again, and right before it writes, whether it
 * still holds the lock; otherwise only when it was granted
 * @param deletesItem whether the release deletes the lock's item
 */
record Attempt(int lock, Duration waitTime, Duration think, boolean renewed, boolean looks, boolean deletesItem) {

	/** One lock in so many has its item deleted by every release. */
	private static final int DELETING = 4;

	private static final int UNCOUNTED = 4;

	private static final double TRIES = 0.3;

	private static final double LONG = 0.04;

	private static final double UNRENEWED = 0.06;

	/** Those who do not notice a loss are to have many. */
	private static final double UNRENEWED_UNAWARE = 0.5;

	static Attempt next(Random random, WorkerSettings settings) {
		Duration lease = settings.lease();
		int lock = random.nextInt(settings.locks());
		if (settings.handsOn() && random.nextBoolean()) {
			lock = preferred(settings.owner().node(), settings.locks());
		}
		Duration wait = (random.nextDouble() < TRIES) ? Duration.ZERO : Duration.ofMillis(1000 + random.nextInt(5000));
		double kind = random.nextDouble();
		double unrenewed = (settings.kind() == LockKind.UNAWARE) ? UNRENEWED_UNAWARE : UNRENEWED;
		boolean renewed = kind >= unrenewed;
		Duration think = Duration.ofMillis(20 + random.nextInt(200));
		if (!renewed) {
			think = share(lease, 0.2 + random.nextDouble());
		}
		else if (kind < unrenewed + LONG) {
			think = share(lease, 1.1 + random.nextDouble());
		}
		return new Attempt(lock, wait, think, renewed, random.nextBoolean(),
				lock >= LockKeys.PERMITS && lock % DELETING == 0);
	}

	/** A lock without a counter, so that it is handed on, and no slot. */
	private static int preferred(int node, int locks) {
		return LockKeys.PERMITS + 1 + (UNCOUNTED * node) % (locks - LockKeys.PERMITS);
	}

	/**
	 * Whether it updates the guarded counter. A lock whose holders guard their writes is
	 * never handed on to another thread of its process, so one of four has no counter.
	 */
	boolean counts() {
		return this.lock % UNCOUNTED != 1;
	}

	/** The same, at a certain slot of the semaphore. */
	Attempt at(int slot) {
		return new Attempt(slot, this.waitTime, this.think, this.renewed, this.looks, this.deletesItem);
	}

	private static Duration share(Duration lease, double share) {
		return Duration.ofNanos((long) (lease.toNanos() * share));
	}

}

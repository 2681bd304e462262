/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.table;

import java.time.Duration;

/**
 * The pauses between reads of a table that is not ready, within a time limit. Each pause
 * is longer than the one before, since a table is ready at once or takes a while.
 */
final class PollPauses {

	private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

	private final PollClock clock;

	private final long begun;

	private final long limit;

	private long next = FIRST_PAUSE;

	PollPauses(PollClock clock, Duration limit) {
		this.clock = clock;
		this.begun = clock.nanos();
		this.limit = limit.toNanos();
	}

	/**
	 * Pauses once, not beyond the time limit.
	 * @return {@code false}, without a pause, if the time limit has ended
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean pause() throws InterruptedException {
		long left = this.limit - (this.clock.nanos() - this.begun);
		if (left <= 0) {
			return false;
		}
		this.clock.pause(Math.min(this.next, left));
		this.next = Math.min(this.next * 3 / 2, LONGEST_PAUSE);
		return true;
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.util.concurrent.TimeUnit;

/**
 * A request with its answer, or without one in the end. Times are those of one monotonic
 * clock, in nanoseconds.
 *
 * @param request what was wanted
 * @param instance which instance of the service answered
 * @param asked when it was sent first
 * @param sent when it was sent to the instance that answered
 * @param answered when the answer was there
 * @param wallClock the time of day when the answer was there, in milliseconds since the
 * epoch
 * @param sendings how often it was sent and may have been carried out
 * @param answer the answer
 */
record Call(Request request, String instance, long asked, long sent, long answered, long wallClock, int sendings,
		Answer answer) {

	/**
	 * For how long a lock may be refused when its lease is over: twice the clock bound.
	 */
	private static final long REFUSED_SECONDS = 2;

	boolean is(Request.Action action) {
		return this.request.action() == action;
	}

	boolean is(Request.Action action, Class<? extends Answer> answer) {
		return is(action) && answer.isInstance(this.answer);
	}

	/** Whether this is a copy of a request, whose answer its client does not know. */
	boolean isLate() {
		return this.request.late();
	}

	/**
	 * Whether the client may get a lock without knowing it: an earlier sending, which it
	 * has given up, may be carried out after the answer to the later one; and a late copy
	 * may acquire the lock again, or renew what another one has acquired.
	 */
	boolean mayAcquireUnnoticed() {
		boolean missing = this.answer instanceof Answer.Missing;
		if (isLate()) {
			return missing || this.answer instanceof Answer.Granted;
		}
		return is(Request.Action.ACQUIRE) && (this.sendings > 1 || missing);
	}

	/**
	 * When a second of the time of day ends, by the clients' clock.
	 * @param second the second, since the epoch
	 */
	long endOf(long second) {
		return this.answered + TimeUnit.MILLISECONDS.toNanos(TimeUnit.SECONDS.toMillis(second + 1) - this.wallClock);
	}

	/** From when on a lock that was acquired unnoticed is given to others. */
	long unnoticedOver() {
		if (this.answer instanceof Answer.Granted granted && isLate()) {
			return endOf(granted.expiry()) + TimeUnit.SECONDS.toNanos(REFUSED_SECONDS);
		}
		return this.answered + TimeUnit.SECONDS.toNanos(this.request.seconds() + 1 + REFUSED_SECONDS);
	}

}

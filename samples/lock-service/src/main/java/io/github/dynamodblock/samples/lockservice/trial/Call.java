/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.lockservice.trial;

/**
 * A request that was answered. Times are those of one monotonic clock, in nanoseconds.
 *
 * @param request what was wanted
 * @param instance which instance of the service answered
 * @param asked when it was sent first
 * @param sent when it was sent to the instance that answered
 * @param answered when the answer was there
 * @param sendings how often it was sent
 * @param answer the answer
 */
record Call(Request request, String instance, long asked, long sent, long answered, int sendings, Answer answer) {

	boolean is(Request.Action action) {
		return this.request.action() == action;
	}

	boolean is(Request.Action action, Class<? extends Answer> answer) {
		return is(action) && answer.isInstance(this.answer);
	}

}

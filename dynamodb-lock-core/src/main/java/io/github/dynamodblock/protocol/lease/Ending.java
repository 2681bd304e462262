/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;

/**
 * How a lock ends.
 *
 * @param outcome completed with the result of the release
 * @param awaited whether a caller begins the release and gets its outcome
 */
public record Ending(ReleaseRequest request, Result<ReleaseOutcome> outcome, boolean awaited, boolean failed) {

	/** A release whose caller begins it, and waits for it. */
	public static Ending awaited(ReleaseRequest request, Result<ReleaseOutcome> outcome) {
		return new Ending(request, outcome, true, false);
	}

	/** A release that no caller waits for. */
	public static Ending background(ReleaseRequest request, Result<ReleaseOutcome> outcome) {
		return new Ending(request, outcome, false, false);
	}

	Ending asBackground() {
		return new Ending(this.request, this.outcome, false, this.failed);
	}

	Ending asFailed() {
		return new Ending(this.request, this.outcome, this.awaited, true);
	}

}

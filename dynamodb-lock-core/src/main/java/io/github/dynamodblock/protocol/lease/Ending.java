/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.protocol.lease;

import io.github.dynamodblock.ReleaseOutcome;
import io.github.dynamodblock.ReleaseRequest;

/**
 * How a granted lock ends.
 *
 * @param outcome completed with the result of the release
 * @param awaited whether a caller starts the release and receives its outcome
 */
public record Ending(ReleaseRequest request, Result<ReleaseOutcome> outcome, boolean awaited, boolean failed) {

	/** Creates a release that its caller starts and waits for. */
	public static Ending awaited(ReleaseRequest request, Result<ReleaseOutcome> outcome) {
		return new Ending(request, outcome, true, false);
	}

	/** Creates a release for which no caller waits. */
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

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock;

import java.time.Duration;
import java.util.Objects;

/**
 * An acquisition that waits for its lock, at one moment. Immutable.
 *
 * <pre>{@code
 * for (WaitingAcquisition waiting : client.waiting()) {
 *     logger.info("waiting for {} since {}", waiting.request().key(), waiting.waited());
 * }
 * }</pre>
 *
 * @param request what is being acquired
 * @param waited how long its caller had waited at that moment, not negative
 */
public record WaitingAcquisition(LockRequest request, Duration waited) {

	/**
	 * An acquisition that waits.
	 * @param request what is being acquired
	 * @param waited how long its caller had waited at that moment
	 */
	public WaitingAcquisition {
		Objects.requireNonNull(request, "request");
		Objects.requireNonNull(waited, "waited");
	}

}

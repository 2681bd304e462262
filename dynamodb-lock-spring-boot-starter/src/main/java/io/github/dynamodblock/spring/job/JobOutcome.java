/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

/**
 * How a run of a job ended.
 */
public enum JobOutcome {

	/** The body returned or completed. */
	SUCCEEDED,

	/** The body threw an exception, failed or was cancelled. */
	FAILED,

	/** The run reached {@code holdAtMost}. It is not rerun, but its body may continue. */
	TIMED_OUT,

	/** The body failed after its node had begun to destroy schedulers. */
	INTERRUPTED,

	/** The run's node died, or lost the lock, before it recorded an end. */
	CRASHED

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aws;

import java.io.IOException;

import io.github.dynamodblock.verification.harness.DemoFailedException;

/** One part of a run. */
interface Check {

	/** Names what is checked, for people. */
	String title();

	/**
	 * Checks it.
	 * @throws DemoFailedException if the check could not come to an end
	 */
	Outcome run(RunContext context) throws IOException, InterruptedException, DemoFailedException;

}

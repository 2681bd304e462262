/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.support;

import io.github.dynamodblock.spring.DistributedLock;

/**
 * A class whose annotated method no proxy in another package can override.
 */
public abstract class PackagePrivateJob {

	@DistributedLock("a")
	void work() {
	}

}

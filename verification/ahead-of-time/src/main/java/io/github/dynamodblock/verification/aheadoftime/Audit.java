/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.aheadoftime;

import io.github.dynamodblock.spring.DistributedLock;

/**
 * An interface whose annotation applies to what implements it.
 */
public interface Audit {

	/**
	 * Runs under the lock of all audits.
	 * @return the lock's key
	 */
	@DistributedLock("audit")
	String audit();

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme;

import io.github.dynamodblock.spring.DistributedLock;
import jakarta.annotation.PostConstruct;

/** Loads under a lock when it is initialized, or so it seems. */
public class CacheLoader {

	@PostConstruct
	@DistributedLock("load")
	public void load() {
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.lock;

import io.github.dynamodblock.LockKey;

/**
 * The name of a lock. Each namespace is a partition of the table, so its locks can be
 * listed without reading other namespaces.
 *
 * @param namespace the namespace
 * @param lockName the lock's name in it
 */
public record LockName(String namespace, String lockName) {

	static LockName of(LockKey key) {
		return new LockName(key.partition(), String.valueOf(key.sort()));
	}

	LockKey key() {
		return new LockKey(this.namespace, this.lockName);
	}

}

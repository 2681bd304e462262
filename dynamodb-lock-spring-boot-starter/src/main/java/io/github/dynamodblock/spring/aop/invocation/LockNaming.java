/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import io.github.dynamodblock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * How the key of an annotated method's lock is made from its name and the value of its
 * key expression. A name has no colon, so no two pairs give one key.
 *
 * @param prefix what every key begins with; may be empty
 * @param sort the sort key of every lock, or {@code null} for a table without sort key
 */
public record LockNaming(String prefix, @Nullable String sort) {

	LockKey key(String name, @Nullable String value) {
		String partition = (value == null) ? this.prefix + name : this.prefix + name + ":" + value;
		return new LockKey(partition, this.sort);
	}

}

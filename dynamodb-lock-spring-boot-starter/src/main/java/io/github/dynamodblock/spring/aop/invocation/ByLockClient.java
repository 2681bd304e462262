/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop.invocation;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * What belongs to a lock client, by the name of the client's bean: looked up once.
 * Thread-safe.
 *
 * @param <T> what is looked up
 */
public final class ByLockClient<T> {

	private final Map<Optional<String>, T> known = new ConcurrentHashMap<>();

	private final Function<@Nullable String, T> lookup;

	ByLockClient(Function<@Nullable String, T> lookup) {
		this.lookup = lookup;
	}

	/**
	 * Gives what belongs to a client.
	 * @param lockClient the name of the client's bean, or {@code null} for the default
	 * one
	 * @return what belongs to it
	 */
	public T get(@Nullable String lockClient) {
		Optional<String> key = Optional.ofNullable(lockClient);
		T value = this.known.get(key);
		if (value == null) {
			// A bean may be made for it, so it happens outside of the map.
			value = this.lookup.apply(lockClient);
			this.known.put(key, value);
		}
		return value;
	}

}

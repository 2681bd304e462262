/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.aop;

import java.util.Map;
import java.util.stream.Stream;

import reactor.util.context.Context;

/**
 * The context of a subscriber that leaves when something is put into it, as the granted
 * lock is before the body begins.
 *
 * @param leave what it does then
 */
record LeavingContext(Runnable leave) implements Context {

	@Override
	public Context put(Object key, Object value) {
		this.leave.run();
		return Context.of(key, value);
	}

	@Override
	public Context delete(Object key) {
		return this;
	}

	@SuppressWarnings("TypeParameterUnusedInFormals") // Reactor's signature
	@Override
	public <T> T get(Object key) {
		return Context.empty().get(key);
	}

	@Override
	public boolean hasKey(Object key) {
		return false;
	}

	@Override
	public int size() {
		return 0;
	}

	@Override
	public Stream<Map.Entry<Object, Object>> stream() {
		return Stream.empty();
	}

}

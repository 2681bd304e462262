/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.util.function.Consumer;

import io.github.dynamodblock.store.PageAnswer;
import io.github.dynamodblock.store.PageRequest;

/**
 * Asks the store for pages without blocking the sender. Thread-safe.
 */
@FunctionalInterface
public interface PageCalls {

	/**
	 * Asks for one page.
	 * @param request the page
	 * @param limitNanos after how many nanoseconds the call counts as unanswered
	 * @param answered takes the answer, once
	 */
	void send(PageRequest request, long limitNanos, Consumer<PageAnswer> answered);

}

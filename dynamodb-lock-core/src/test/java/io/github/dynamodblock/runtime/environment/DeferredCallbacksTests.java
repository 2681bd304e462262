/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeferredCallbacksTests {

	private final List<String> done = new ArrayList<>();

	private final List<Throwable> uncaught = new ArrayList<>();

	@Test
	void callbacksRunInOrderWhenTheWorkIsDone() {
		try (Callbacks.Work work = Callbacks.deferred()) {
			Callbacks.run(() -> this.done.add("first callback"));
			Callbacks.run(() -> this.done.add("second callback"));
			this.done.add("work");
		}
		assertThat(this.done).containsExactly("work", "first callback", "second callback");
	}

	@Test
	void aCallbackThatThrowsCostsNoOtherCallback() {
		Thread thread = Thread.currentThread();
		UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
		IllegalStateException failure = new IllegalStateException("by the test");
		thread.setUncaughtExceptionHandler((failed, ex) -> {
			this.uncaught.add(ex);
			throw new IllegalArgumentException("by the test");
		});
		try {
			try (Callbacks.Work work = Callbacks.deferred()) {
				Callbacks.run(() -> {
					throw failure;
				});
				Callbacks.run(() -> this.done.add("callback"));
			}
		}
		finally {
			thread.setUncaughtExceptionHandler(before);
		}
		assertThat(this.uncaught).containsExactly(failure);
		assertThat(this.done).containsExactly("callback");
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime.environment;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BoundedExecutorTests {

	private final Queue<Runnable> threads = new ArrayDeque<>();

	private final List<Integer> done = new ArrayList<>();

	private boolean refusing;

	/** What another thread does while the next thread is requested. */
	private Runnable meanwhile = () -> {
	};

	private final BoundedExecutor executor = new BoundedExecutor(this::begin, 2);

	@Test
	void takesAsManyThreadsAsAllowedAndRunsTheRestInOrder() {
		for (int i = 0; i < 10; i++) {
			int task = i;
			this.executor.execute(() -> this.done.add(task));
		}
		assertThat(this.threads).hasSize(2);
		this.threads.remove().run();
		assertThat(this.done).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
		this.threads.remove().run();
		this.executor.execute(() -> this.done.add(10));
		assertThat(this.threads).hasSize(1);
	}

	@Test
	void aTaskThatNoThreadCanRunIsRefusedAndForgotten() {
		this.refusing = true;
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> this.executor.execute(() -> this.done.add(1)));
		this.refusing = false;
		this.executor.execute(() -> this.done.add(2));
		this.threads.remove().run();
		assertThat(this.done).containsExactly(2);
	}

	@Test
	void aTaskThatFindsNoNewThreadIsLeftToThoseAtWork() {
		this.executor.execute(() -> this.done.add(1));
		this.refusing = true;
		this.executor.execute(() -> this.done.add(2));
		this.threads.remove().run();
		assertThat(this.done).containsExactly(1, 2);
	}

	@Test
	void twoTasksThatAreRefusedAtOnceAreBothRefused() {
		this.refusing = true;
		this.meanwhile = () -> assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> this.executor.execute(() -> this.done.add(2)));
		assertThatExceptionOfType(RejectedExecutionException.class)
			.isThrownBy(() -> this.executor.execute(() -> this.done.add(1)));
		this.refusing = false;
		this.executor.execute(() -> this.done.add(3));
		this.threads.remove().run();
		assertThat(this.done).containsExactly(3);
	}

	@Test
	void tasksWhoseFailuresNobodyTakesCostNoThread() {
		Thread thread = Thread.currentThread();
		UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
		thread.setUncaughtExceptionHandler((failed, ex) -> {
			throw new IllegalStateException("by the test", ex);
		});
		try {
			for (int i = 0; i < 3; i++) {
				this.executor.execute(() -> {
					throw new IllegalArgumentException("by the test");
				});
				this.threads.remove().run();
			}
		}
		finally {
			thread.setUncaughtExceptionHandler(before);
		}
		this.executor.execute(() -> this.done.add(1));
		this.threads.remove().run();
		assertThat(this.done).containsExactly(1);
	}

	private void begin(Runnable task) {
		Runnable other = this.meanwhile;
		this.meanwhile = () -> {
		};
		other.run();
		if (this.refusing) {
			throw new RejectedExecutionException("by the test");
		}
		this.threads.add(task);
	}

}

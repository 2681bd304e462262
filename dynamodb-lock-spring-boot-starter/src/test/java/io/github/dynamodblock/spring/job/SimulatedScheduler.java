/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.spring.job;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * The scheduler of a node, whose threads other jobs of the application keep from this one
 * at times.
 */
final class SimulatedScheduler {

	private final SimulatedProcess process;

	private final Random random;

	/** The share of tasks for which no thread is free at first. */
	private final double others;

	private final int threads;

	/** What is to be done once a thread is free. */
	private final Deque<Runnable> tasks = new ArrayDeque<>();

	private int busy;

	private boolean paused;

	SimulatedScheduler(SimulatedProcess process, Random random, double others, int threads) {
		this.process = process;
		this.random = random;
		this.others = others;
		this.threads = threads;
	}

	void submit(Runnable task) {
		boolean occupied = this.random.nextDouble() < this.others;
		Duration delay = Duration.ofMillis(this.random.nextInt(occupied ? 9_000 : 5));
		this.process.later(delay, () -> {
			this.tasks.add(task);
			next();
		});
	}

	private void next() {
		while (this.busy < this.threads && !this.paused && !this.tasks.isEmpty()) {
			this.tasks.remove().run();
		}
	}

	/** A task has begun that does not end at once. */
	void occupy() {
		this.busy++;
	}

	/** That task has ended. */
	void free() {
		this.busy--;
		next();
	}

	/** As when its context is stopped: what is due waits. */
	void pause() {
		this.paused = true;
	}

	void resume() {
		this.paused = false;
		next();
	}

}

/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.runtime;

import io.github.dynamodblock.runtime.environment.Timer;
import org.jspecify.annotations.Nullable;

/**
 * The timer of a simulated process, on its monotonic clock.
 */
final class SimulatedTimer implements Timer {

	private final SimulatedProcess process;

	SimulatedTimer(SimulatedProcess process) {
		this.process = process;
	}

	@Override
	public Task schedule(long delayNanos, Runnable task) {
		Alarm alarm = new Alarm(now() + Math.max(0, Math.min(delayNanos, Long.MAX_VALUE / 4)), task);
		if (!this.process.isClosed()) {
			alarm.set();
		}
		return alarm;
	}

	private long now() {
		return this.process.clocks().observerNanos();
	}

	/**
	 * A task for a time on the monotonic clock, which may stand still meanwhile.
	 */
	private final class Alarm implements Task {

		private final long at;

		private final Runnable task;

		private Timer.@Nullable Task waiting;

		private boolean cancelled;

		Alarm(long at, Runnable task) {
			this.at = at;
			this.task = task;
		}

		void set() {
			SimulatedProcess process = SimulatedTimer.this.process;
			long left = process.clocks().trueNanos(Math.max(0, this.at - now()));
			this.waiting = process.later(left + process.threadStart() / 4, this::ring);
		}

		private void ring() {
			if (this.cancelled || SimulatedTimer.this.process.isClosed()) {
				return;
			}
			if (now() < this.at) {
				set();
			}
			else {
				this.task.run();
			}
		}

		@Override
		public void cancel() {
			this.cancelled = true;
			if (this.waiting != null) {
				this.waiting.cancel();
			}
		}

	}

}

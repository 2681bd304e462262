/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.faults.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.faults.checker.Interval;
import io.github.dynamodblock.faults.worker.Worker;
import io.github.dynamodblock.faults.worker.WorkerSettings;

/**
 * A worker's process. Thread-safe.
 */
public final class WorkerProcess {

	private static final String HEAP = "96m";

	private final WorkerSettings settings;

	private final Process process;

	private WorkerProcess(WorkerSettings settings, Process process) {
		this.settings = settings;
		this.process = process;
	}

	/**
	 * Starts it, and does not wait until it is at work.
	 * @param settings what it is to do
	 * @param log where its standard error goes, appended
	 * @return the process
	 * @throws IOException if it does not start
	 */
	public static WorkerProcess start(WorkerSettings settings, Path log) throws IOException {
		return new WorkerProcess(settings, Java.start(HEAP, log, Worker.class, settings.arguments()));
	}

	public WorkerSettings settings() {
		return this.settings;
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/** Kills it, without a word. */
	public void kill() {
		this.process.destroyForcibly();
	}

	/**
	 * Lets it stand still.
	 * @param time how long
	 * @return when it may have stood still
	 * @throws IOException if that is not possible
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	public Interval pause(Duration time) throws IOException, InterruptedException {
		return Signals.pause(this.process, time);
	}

	/** Tells it to release what it holds, and to end. */
	public void askToStop() throws IOException {
		this.process.getOutputStream().write("stop\n".getBytes(StandardCharsets.UTF_8));
		this.process.getOutputStream().flush();
	}

	/**
	 * Waits for its end.
	 * @param limit how long; then it is killed
	 * @return whether it ended by itself, and well
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	public boolean awaitEnd(Duration limit) throws InterruptedException {
		if (!this.process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
			kill();
			return false;
		}
		return this.process.exitValue() == 0;
	}

}

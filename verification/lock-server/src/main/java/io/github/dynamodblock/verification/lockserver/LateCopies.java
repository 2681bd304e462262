/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.verification.lockserver;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.github.dynamodblock.verification.lockserver.Instance.UnavailableException;
import io.github.dynamodblock.verification.lockserver.Instance.UnexpectedAnswerException;

/**
 * Sends copies of requests some time after they were answered, as a network may deliver
 * them. Clients do not learn of the answers. Thread-safe.
 */
final class LateCopies implements AutoCloseable {

	private static final int THREADS = 8;

	private static final long LONGEST_DELAY_MILLIS = 3000;

	private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(THREADS);

	private final List<Instance> instances;

	private final History history;

	private final Kill kill;

	LateCopies(List<Instance> instances, History history, Kill kill) {
		this.instances = instances;
		this.history = history;
		this.kill = kill;
		this.threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	/**
	 * Sends a copy later: in half of the cases within a fourth of the longest delay.
	 */
	void send(Request request) {
		double part = ThreadLocalRandom.current().nextDouble();
		long delay = (long) (part * part * LONGEST_DELAY_MILLIS);
		ScheduledFuture<?> unused = this.threads.schedule(() -> sendNow(request.copy()), delay, TimeUnit.MILLISECONDS);
	}

	private void sendNow(Request copy) {
		List<Instance> alive = this.instances.stream().filter((one) -> !this.kill.has(one.name())).toList();
		Instance instance = alive.get(ThreadLocalRandom.current().nextInt(alive.size()));
		long asked = System.nanoTime();
		try {
			this.history.answered(call(copy, instance, asked, instance.send(copy)));
		}
		catch (UnavailableException | IOException ex) {
			this.history.answered(call(copy, instance, asked, new Answer.Missing()));
		}
		catch (UnexpectedAnswerException | RuntimeException ex) {
			this.history.failed(ex.toString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static Call call(Request copy, Instance instance, long asked, Answer answer) {
		return new Call(copy, instance.name(), asked, asked, System.nanoTime(), System.currentTimeMillis(), 1, answer);
	}

	/**
	 * Waits for the copies that are on their way; the others are not sent.
	 */
	@Override
	public void close() {
		this.threads.shutdown();
		try {
			if (!this.threads.awaitTermination(1, TimeUnit.MINUTES)) {
				this.history.failed("a late copy was not answered within a minute");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

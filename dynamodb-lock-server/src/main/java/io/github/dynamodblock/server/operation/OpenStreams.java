/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.server.operation;

import java.util.HashSet;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Answers that do not end by themselves. They are ended when the service stops, before
 * the web server waits for the answers that are under way: it would wait for these in
 * vain. Thread-safe.
 */
@Component
public class OpenStreams implements SmartLifecycle {

	private static final Logger LOG = LoggerFactory.getLogger(OpenStreams.class);

	/** Stopped before the web server, whose phases are below it. */
	private static final int PHASE = DEFAULT_PHASE;

	private final Set<Runnable> ends = new HashSet<>();

	private boolean running;

	/**
	 * Adds an answer.
	 * @param end ends the answer; called once at most, at once if the service is stopping
	 */
	public void add(Runnable end) {
		synchronized (this.ends) {
			if (this.running) {
				this.ends.add(end);
				return;
			}
		}
		end.run();
	}

	/**
	 * Forgets an answer that ended by itself.
	 * @param end what was added
	 */
	public void remove(Runnable end) {
		synchronized (this.ends) {
			this.ends.remove(end);
		}
	}

	@Override
	public void start() {
		synchronized (this.ends) {
			this.running = true;
		}
	}

	@Override
	public void stop() {
		Set<Runnable> open;
		synchronized (this.ends) {
			this.running = false;
			open = Set.copyOf(this.ends);
			this.ends.clear();
		}
		open.forEach(OpenStreams::end);
	}

	/** One that cannot be ended must not keep the others open. */
	private static void end(Runnable end) {
		try {
			end.run();
		}
		catch (RuntimeException ex) {
			LOG.warn("An open answer could not be ended; the stop waits for it until its time is over", ex);
		}
	}

	@Override
	public boolean isRunning() {
		synchronized (this.ends) {
			return this.running;
		}
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}

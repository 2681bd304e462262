/*
 * Copyright 2026 the dynamodb-lock authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.dynamodblock.samples.scheduledjobs.journal;

import java.io.PrintStream;
import java.time.Instant;

import io.github.dynamodblock.HeldLock;
import io.github.dynamodblock.LockKey;
import io.github.dynamodblock.spring.LockContext;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Writes down, on the standard output, when this node is where. Each line is out of the
 * process before the next statement runs, so it survives a {@code kill -9}.
 */
@Component
public class Journal {

	private final String node;

	private final PrintStream lines = System.out;

	Journal(@Value("${dynamodb-lock.owner-name}") String node) {
		this.node = node;
	}

	/**
	 * The application is up.
	 */
	public void ready() {
		write(Instant.now(), Event.What.READY, "", 0);
	}

	/**
	 * This node asks for a lock.
	 * @param key the lock's key
	 */
	public void waits(String key) {
		write(Instant.now(), Event.What.WAITS, key, 0);
	}

	/**
	 * This node asked for a lock and did not get it.
	 * @param key the lock's key
	 */
	public void goesWithout(String key) {
		write(Instant.now(), Event.What.GOES_WITHOUT, key, 0);
	}

	/**
	 * This node begins what a lock guards.
	 * @param key the lock's key
	 * @return to be closed at the end of what the lock guards
	 */
	public Entry begin(String key) {
		Instant time = Instant.now();
		long token = fencingToken(key);
		write(time, Event.What.BEGINS, key, token);
		return () -> write(Instant.now(), Event.What.ENDS, key, token);
	}

	/**
	 * The token of the lock that this thread runs under, or 0 if it runs under another or
	 * none: the section is written down all the same, and fails the run.
	 */
	private static long fencingToken(String key) {
		return LockContext.current()
			.filter((lock) -> lock.key().equals(LockKey.of(key)))
			.map(HeldLock::fencingToken)
			.orElse(0L);
	}

	private void write(Instant time, Event.What what, String key, long token) {
		this.lines.println(new Event(time, this.node, what, key, token).toLine());
		this.lines.flush();
	}

	/**
	 * A begun entry; closing it writes its end.
	 */
	@FunctionalInterface
	public interface Entry extends AutoCloseable {

		@Override
		void close();

	}

}
